// Sends requests without an event loop, as JSON in the first argument says, and prints what became of them: all at once,
// or each when the one before it is settled (ONE_BY_ONE).
import { syncHttp } from '@svc/core/sync-http'
import { DIRECT } from '@svc/core/transport'

const { requests, transport } = JSON.parse(process.argv[2])
const http = syncHttp()
if (!http) console.log('no worker')
else {
  const settled = []
  for (const [id, { body, ...request }] of requests.entries()) {
    const defaults = { method: 'POST', headers: {}, timeoutMs: 20_000 }
    http.send(id, { ...defaults, ...request, body: Buffer.from(body ?? 'body') }, { ...DIRECT, ...transport })
    if (process.env.ONE_BY_ONE) receive(id + 1)
  }
  receive(requests.length)
  http.close()
  console.log(JSON.stringify(settled.map(({ id, outcome }) => ({ id, ...described(outcome) }))))

  function receive(count) {
    while (settled.length < count) settled.push(...http.receive(20_000))
  }
}

function described(outcome) {
  if (!(outcome instanceof Error)) return { ...outcome, body: Buffer.from(outcome.body).toString() }
  return { error: outcome.name, code: outcome.code, message: outcome.message }
}
