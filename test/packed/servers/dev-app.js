import { startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const client = new OpenAI()
const ask = () => client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Hi' }] })

export async function answer() {
  await startActiveObservation('answer', ask)
  return 'first'
}
