// Everything that quotes what a service answers: lines about spans, scores and prompts, and errors that are thrown.
import { inspect } from 'node:util'
import { SvcClient } from '@svc/client'
import { startObservation } from '@svc/tracing'

startObservation('question', { input: 'my prompt' }).end()
const client = new SvcClient()
const calls = [
  () => client.prompt.get('greeting', { maxRetries: 0 }),
  () => client.api.projects.get(),
  () => client.score.createAndWait({ traceId: 'a'.repeat(32), name: 'quoted', value: 1 }),
]
for (const call of calls)
  await call().catch((error) => console.log(`${error.message}\n${inspect(error, { depth: 9 })}`))
client.score.create({ traceId: 'a'.repeat(32), name: 'quoted', value: 1 })
await client.flush()
