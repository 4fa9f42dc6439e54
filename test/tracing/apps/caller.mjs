// Asks the server of CALLEE. With fetch it writes the headers itself, as an instrumentation of HTTP would; with
// VIA=http it leaves them to one.
import { get } from 'node:http'
import { context, propagation } from '@opentelemetry/api'
import { propagateAttributes, startActiveObservation } from '@svc/tracing'

const { CALLEE, AS_BAGGAGE, VIA = 'fetch' } = process.env
const ways = {
  fetch: () => {
    const headers = {}
    propagation.inject(context.active(), headers)
    console.log(`baggage: ${headers.baggage ?? 'none'}`)
    return fetch(CALLEE, { headers }).then((response) => response.text())
  },
  http: () =>
    new Promise((resolve, reject) => {
      get(CALLEE, (response) => response.resume().on('end', () => resolve('done'))).on('error', reject)
    }),
}
const values = {
  userId: 'ada',
  sessionId: 'session 1, übermorgen; =%',
  version: '2.1',
  traceName: 'ask and answer',
  environment: 'propagated',
  tags: ['a', 'b c'],
  metadata: { plan: 'pro', seats: 5, digits: '3', team: { id: 7 } },
  prompt: { name: 'greeting', version: 3 },
  asBaggage: AS_BAGGAGE === 'true',
}

await propagateAttributes(values, () => startActiveObservation('ask', async () => console.log(await ways[VIA]())))
