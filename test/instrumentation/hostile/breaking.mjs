// Streams that break off in the middle, in each way that there is. Prints what the application makes of each: a text,
// or the error.
import { libraries } from './libraries.mjs'

/** What comes in the place of the other half of the events. */
const WAYS = [
  'data: {"choices":\n\n',
  'event: error\ndata: {"type":"error","error":{"type":"overloaded","message":"too busy","code":529}}\n\n',
  new TypeError('terminated'),
]

const { fetch } = globalThis
let way
// Before the clients are made, of which some keep it.
globalThis.fetch = async (...args) => {
  const response = await fetch(...args)
  return new Response(broken(await response.text(), way), { headers: response.headers })
}

function broken(text, end) {
  const events = text.split(/(?<=\n\n|\}\n)(?!\n)/)
  const parts = [...events.slice(0, Math.ceil(events.length / 2)), end].values()
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull(controller) {
      const { done, value } = parts.next()
      if (done) controller.close()
      else if (value instanceof Error) controller.error(value)
      else controller.enqueue(encoder.encode(value))
    },
  })
}

const streams = {}
for (const library of ['openai', 'anthropic', 'groq', 'google-genai', 'ollama', 'cohere', 'mistral']) {
  const { client, stream } = await libraries[library]()
  streams[library] = stream
  if (library === 'openai') streams.helper = (model, input) => client.responses.stream({ model, input })
}

const seen = {}
for (const [name, stream] of Object.entries(streams)) {
  seen[name] = []
  for (way of WAYS) {
    let items = 0
    const read = async () => {
      for await (const _ of await stream('gpt-test', 'Tell.')) items += 1
    }
    const error = await read().then(
      () => null,
      ({ message }) => message,
    )
    seen[name].push({ items, error })
  }
}
process.stdout.write(JSON.stringify(seen), () => process.kill(process.pid, 'SIGTERM'))
