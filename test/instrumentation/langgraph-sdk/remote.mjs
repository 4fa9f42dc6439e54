// Starts a run on the server at SERVER in each way, within an observation each, and once with a header of its own.
import { startActiveObservation } from '@svc/tracing'
import { Client } from 'langgraph-sdk-2'

const client = new Client({ apiUrl: process.env.SERVER, apiKey: null })
const own = new Client({ apiUrl: process.env.SERVER, apiKey: null, defaultHeaders: { traceparent: process.env.OWN } })
const payload = { input: { messages: [{ role: 'user', content: 'Hello' }] } }

await startActiveObservation('wait', () => client.runs.wait(null, 'agent', payload))
await startActiveObservation('create', () => client.runs.create('thread-1', 'agent', payload))
await startActiveObservation('stream', async () => {
  for await (const _ of client.runs.stream(null, 'agent', payload));
})
await startActiveObservation('own', () => own.runs.wait(null, 'agent', payload))
process.kill(process.pid, 'SIGTERM')
