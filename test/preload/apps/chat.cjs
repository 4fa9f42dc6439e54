const OpenAI = require('openai')

new OpenAI().chat.completions
  .create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Say hello.' }] })
  .then((answer) => console.log(`answer: ${answer.choices[0].message.content}`))
