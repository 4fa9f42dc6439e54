// Calls a service by fetch and by node:http, in one observation, with a user that travels as baggage where that is said.
import { get } from 'node:http'
import { propagateAttributes, startActiveObservation } from '@svc/tracing'

const { URLS = '', AS_BAGGAGE } = process.env

const byHttp = (url) =>
  new Promise((resolve, reject) => {
    get(url, (response) => response.resume().on('end', resolve)).on('error', reject)
  })

await startActiveObservation('caller', (caller) =>
  propagateAttributes({ userId: 'ada', asBaggage: AS_BAGGAGE === 'true' }, async () => {
    for (const url of URLS.split(',')) {
      await (await fetch(url)).text()
      await byHttp(url)
    }
    // What names a trace already, keeps it.
    await (await fetch(URLS.split(',')[0], { headers: { traceparent: 'mine' } })).text()
    console.log(`trace ${caller.traceId} span ${caller.id}`)
  }),
)
