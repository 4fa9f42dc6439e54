// An observation, a prompt and a score, after a careless merge has written to Object.prototype what POLLUTION says (JSON).
import { SvcClient } from '@svc/client'
import { startObservation } from '@svc/tracing'

const pollution = JSON.parse(process.env.POLLUTION ?? '{}')
const functions = {
  exporter: { export: () => console.log('stolen') },
  mask: () => 'stolen',
  shouldExportSpan: () => false,
}
Object.assign(Object.prototype, pollution, functions)

startObservation('question', { input: 'my prompt' }).end()
const client = new SvcClient()
console.log(`prompt: ${(await client.prompt.get('greeting')).prompt}`)
client.score.create({ traceId: 'a'.repeat(32), name: 'polluted', value: 1 })
await client.flush()
