// Calls another service by fetch and by http, inside an observation, with and without baggage.
import http from 'node:http'
import { propagateAttributes, startActiveObservation } from '@svc/tracing'

const url = process.argv[2]
const get = (path) =>
  new Promise((resolve, reject) =>
    http.get(url + path, (response) => response.resume().on('end', resolve)).on('error', reject),
  )

for (const asBaggage of [true, false]) {
  await propagateAttributes({ userId: 'ada', asBaggage }, () =>
    startActiveObservation('caller', async () => {
      await fetch(`${url}/fetch/${asBaggage}`)
      await get(`/http/${asBaggage}`)
    }),
  )
}
