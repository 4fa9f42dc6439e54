// One variant of bench/http-root.mjs in a process of its own: requests as Node announces them, with a model call or
// without, and tells what one of them took. No server: its own cost wanders further than what is looked for.
import { channel } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import { context, trace } from '@opentelemetry/api'

const [root, rootIo, calls] = process.argv.slice(2)
Object.assign(process.env, { SVC_HTTP_ROOT: root, SVC_ROOT_IO: rootIo })
await import('@svc/register')

const started = channel('http.server.request.start')
const attributes = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'gpt-4.1-mini',
  'svc.observation.input': JSON.stringify({
    messages: [{ role: 'user', content: 'What is the answer? '.repeat(200) }],
  }),
  'svc.observation.output': JSON.stringify([{ role: 'assistant', content: 'It is 42. '.repeat(200) }]),
}
const tracer = () => trace.getTracer('@svc/instrumentation-openai')

function serve(number) {
  const request = Object.assign(new EventEmitter(), { method: 'POST', url: `/chat/${number}?q=1`, headers: {} })
  const response = Object.assign(new EventEmitter(), { headersSent: true, statusCode: 200 })
  // In an async context of its own, as each request has one.
  context.with(context.active(), () => {
    started.publish({ request, response })
    if (calls === 'call') tracer().startSpan('chat gpt-4.1-mini', { attributes }).end()
    response.emit('close')
  })
}

const BLOCK = 500
async function microsOfOne() {
  const began = performance.now()
  for (let number = 0; number < BLOCK; number++) serve(number)
  const micros = ((performance.now() - began) * 1_000) / BLOCK
  await new Promise(setImmediate)
  return micros
}

for (let blocks = 0; blocks < 20; blocks++) await microsOfOne()
process.on('message', async () => process.send(await microsOfOne()))
