import OpenAI from 'openai'

const client = new OpenAI()
const answer = await client.chat.completions.create({
  model: 'gpt-test',
  messages: [{ role: 'user', content: 'Say hello.' }],
})
console.log(`answer: ${answer.choices[0].message.content}`)
