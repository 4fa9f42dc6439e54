import { startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const client = new OpenAI()
const ask = () => client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Hi' }] })

export const version = 'first'

export async function answer() {
  await startActiveObservation('answer', ask)
  return version
}

// What of each version is still there.
globalThis.versions ??= []
globalThis.versions.push(new WeakRef(OpenAI), new WeakRef(answer))
