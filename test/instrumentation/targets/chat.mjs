import OpenAI from 'openai'

const client = new OpenAI()
const { choices } = await client.chat.completions.create({
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'What is a span?' }],
})
console.log(choices[0].message.content)
