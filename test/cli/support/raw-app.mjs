// Reads answers of models in many ways and prints what it got: events, chunks by their bytes, ids, errors.
// node --import @svc/register raw-app.mjs <url>
import { once } from 'node:events'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const load = createRequire(new URL('../../instrumentation/anthropic/', import.meta.url))
const { Anthropic } = load('anthropic-1')

const [url] = process.argv.slice(2)
const print = (...values) => console.log(...values.map((value) => JSON.stringify(value)))
const asks = (text) => ({ model: 'm', messages: [{ role: 'user', content: text }] })
const bodyOf = (text) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ ...asks(text), stream: true }),
})

/** Prints what the library is answered. */
const fetching = async (...args) => {
  const response = await fetch(...args)
  print(response.status, response.headers.get('x-request-id'), response.headers.get('retry-after-ms'))
  return response
}
const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'k', fetch: fetching })
const anthropic = new Anthropic({ baseURL: url, apiKey: 'k' })

const READERS = {
  async openai() {
    for await (const event of await openai.chat.completions.create({ ...asks('openai'), stream: true })) print(event)
  },
  async anthropic() {
    const stream = await anthropic.messages.create({ ...asks('anthropic'), max_tokens: 9, stream: true })
    for await (const event of stream) print(event)
  },
  async fetch() {
    const { status, headers, body } = await fetch(`${url}/v1/chat/completions`, bodyOf('fetch'))
    print(status, headers.get('content-type'))
    for await (const chunk of body) print(Buffer.from(chunk).toString('base64'))
  },
  async http() {
    const { body, ...options } = bodyOf('http')
    const [response] = await once(request(`${url}/v1/chat/completions`, options).end(body), 'response')
    print(response.statusCode, response.headers['x-request-id'])
    for await (const chunk of response) print(chunk.toString('base64'))
  },
  async 'left early'() {
    for await (const event of await openai.chat.completions.create({ ...asks('left early'), stream: true })) {
      print(event)
      break
    }
  },
  async 'asked again'() {
    print(await openai.chat.completions.create(asks('asked again')))
  },
  async compressed() {
    print(await openai.chat.completions.create(asks('compressed')))
  },
  async 'a lost connection'() {
    try {
      const { body } = await fetch(`${url}/v1/chat/completions`, bodyOf('a lost connection'))
      for await (const chunk of body) print(Buffer.from(chunk).toString('base64'))
    } catch (error) {
      print(error.message, error.cause?.code)
    }
  },
  async embeddings() {
    print(await openai.embeddings.create({ model: 'm', input: 'embeddings' }))
  },
}

await startActiveObservation('readers', async () => {
  for (const [name, read] of Object.entries(READERS)) {
    print(name)
    await read()
  }
})
