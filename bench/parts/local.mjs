// The service of bench/local.mjs, in a process of its own, over a database that is made where there is none. It answers each
// message with the CPU of the process so far, in µs.
import { existsSync } from 'node:fs'
import { startLocal } from '../../packages/local/dist/index.js'
import { Store } from '../../packages/local/dist/store/store.js'
import { attributes } from '../../packages/local/test/support/attributes.ts'
import { fill } from '../../packages/local/test/support/many-traces.ts'
import { otlpJson, post } from '../../packages/local/test/support/sdk.ts'

const [db, traces, steps, large] = process.argv.slice(2)

if (!existsSync(db)) {
  const local = await startLocal({ db, token: false })
  await fill(local, Number(traces))
  await fillLarge(local)
  await local.close()
  // A running service collects the words a few at a time.
  const store = new Store(db)
  while (store.search.collect(1_000));
  store.close()
}
const { url } = await startLocal({ db, token: false })
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send(user + system)
})
process.send(url)

async function fillLarge(local) {
  const spanId = (at) => String(at + 1).padStart(16, '0')
  const nanos = (at) => `${Date.now() + at}000000`
  const spans = Array.from({ length: Number(steps) }, (_, at) => ({
    ...{ traceId: large, spanId: spanId(at), ...(at > 0 && { parentSpanId: spanId(Math.floor((at - 1) / 3)) }) },
    ...{ name: `step ${at}`, startTimeUnixNano: nanos(at), endTimeUnixNano: nanos(at + 20) },
    attributes: attributes({ 'svc.observation.input': `step ${at}: ${'some words of a document. '.repeat(40)}` }),
  }))
  await post(local, otlpJson(spans, { name: 'svc-sdk', version: '6.0.0' }), { 'content-type': 'application/json' })
}
