// Traces that call another process: some with an error before the call, some with one after it, most with none.
import { startActiveObservation } from '@svc/tracing'

const { CALLEE, TRACES } = process.env
const fail = (name) => startActiveObservation(name, async (span) => void span.update({ level: 'ERROR' }))

for (let at = 0; at < Number(TRACES); at++) {
  const kind = ['early', 'late', 'none', 'none'][at % 4]
  const traceId = await startActiveObservation('caller', async (caller) => {
    if (kind === 'early') await fail('before')
    await (await fetch(CALLEE)).text()
    if (kind === 'late') await fail('after')
    return caller.traceId
  })
  console.log(`${kind} ${traceId}`)
}
