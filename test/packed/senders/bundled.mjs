// Runs the cases by the client of OpenAI that is in the same bundle.
import OpenAI from 'openai'
import { runCases, runMany } from './cases.mjs'

const [, url, , mode] = process.argv.slice(2)
const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-test', maxRetries: 0 })

async function send(_target, body, { signal }) {
  const answer = await client.chat.completions.create(JSON.parse(body), { signal })
  const isStream = Symbol.asyncIterator in answer
  return { chunks: isStream ? eventsOf(answer) : [JSON.stringify(answer)] }
}

async function* eventsOf(stream) {
  for await (const event of stream) yield JSON.stringify(event)
}

if (mode === 'many') await runMany(send)
else await runCases(send, { without: ['uploaded'] })
