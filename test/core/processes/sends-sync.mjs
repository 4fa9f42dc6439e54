// Sends requests without an event loop and answers what became of them: those of each message where it has a channel,
// otherwise those of its first argument, as JSON. All at once, or each when the one before it is settled (`oneByOne`).

import { DIRECT } from '@svc/core/transport'
import { syncHttp } from '../../../packages/core/dist/sync-http.js'

if (process.send) process.on('message', (work) => process.send(outcomesOf(work)))
else console.log(JSON.stringify(outcomesOf(JSON.parse(process.argv[2]))))

function outcomesOf({ requests, transport, oneByOne }) {
  const http = syncHttp()
  if (!http) return 'no worker'
  const settled = []
  const receive = (count) => {
    while (settled.length < count) settled.push(...http.receive(20_000))
  }
  for (const [id, { body, ...request }] of requests.entries()) {
    const defaults = { method: 'POST', headers: {}, timeoutMs: 60_000 }
    http.send(id, { ...defaults, ...request, body: Buffer.from(body ?? 'body') }, { ...DIRECT, ...transport })
    if (oneByOne) receive(id + 1)
  }
  receive(requests.length)
  http.close()
  return settled.map(({ id, outcome }) => ({ id, ...described(outcome) }))
}

function described(outcome) {
  if (!(outcome instanceof Error)) return { ...outcome, body: Buffer.from(outcome.body).toString() }
  return { error: outcome.name, code: outcome.code, message: outcome.message }
}
