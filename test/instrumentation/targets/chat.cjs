const OpenAI = require('openai')

const client = new OpenAI()
const messages = [{ role: 'user', content: 'What is a span?' }]
client.chat.completions.create({ model: 'gpt-4o-mini', messages }).then(({ choices }) => {
  console.log(choices[0].message.content)
})
