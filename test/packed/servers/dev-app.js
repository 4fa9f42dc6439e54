import OpenAI from 'openai'

const client = new OpenAI()

export async function answer() {
  await client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Hi' }] })
  return 'first'
}
