import { trace } from '@opentelemetry/api'
import { svcObserve } from '@svc/next'
import { observe } from '@svc/tracing'

const look = observe(async () => 'found', { name: 'look' })
const read = observe(
  async function* () {
    yield 'found'
  },
  { name: 'read' },
)

export default async function Page() {
  const span = trace.getTracer('svc-sdk').startSpan('by hand')
  span.addEvent('event')
  span.recordException(new Error('recorded'))
  span.end()
  const found = await svcObserve('search', look)
  const pieces = []
  for await (const piece of read()) pieces.push(piece)
  return <p>{[found, ...pieces].join()}</p>
}
