// Every library meets servers and connections that repeat the headers of a request, and with them its key.
import { libraries } from './libraries.mjs'

const echoOf = (headers, url) => `Incorrect key ${JSON.stringify(headers)} at ${url}`
const REPLIES = {
  refused: (headers, url) => {
    const message = echoOf(headers, url)
    return Response.json({ error: { message, type: 'invalid', status: 'UNAUTHENTICATED' }, message }, { status: 401 })
  },
  'a page': (headers, url) => new Response(`<html>${echoOf(headers, url)}</html>`, { status: 500 }),
  'in a stream': (headers, url) => {
    const event = { type: 'error', error: { message: echoOf(headers, url) } }
    return new Response(`data: ${JSON.stringify(event)}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
  },
  unreachable: (headers, url) => {
    throw new TypeError(echoOf(headers, url), { cause: new Error(echoOf(headers, url)) })
  },
}

let reply
globalThis.fetch = async (input, init) => {
  const { headers, url } = new Request(input, init)
  return reply(Object.fromEntries(headers), url)
}

// Bedrock has a connection of its own.
const { bedrock: _, ...others } = libraries
for (const connect of Object.values(others)) {
  const { ask, stream } = await connect()
  const read = async () => {
    for await (const _ of await stream('gpt-test', 'Hi'));
  }
  for (reply of Object.values(REPLIES)) await Promise.allSettled([ask('gpt-test', 'Hi'), read()])
}
process.kill(process.pid, 'SIGTERM')
