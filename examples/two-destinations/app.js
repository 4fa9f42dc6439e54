import OpenAI from 'openai'

const { choices } = await new OpenAI().chat.completions.create({
  model: 'gpt-4.1-mini',
  messages: [{ role: 'user', content: 'Say hello.' }],
})
console.log(choices[0].message.content)
