import { trace } from '@opentelemetry/api'
import { svcObserve } from '@svc/next'
import { observe } from '@svc/tracing'

export const generateStaticParams = () => [{ id: 'first' }]

const look = observe(async (id) => `All about ${id}.`, { name: 'look' })
const read = observe(
  async function* () {
    yield 'found'
  },
  { name: 'read' },
)

/** Prerendered when it is built for the first topic, and for every other one when it is first asked for. */
export default async function Page({ params }) {
  const { id } = await params
  const span = trace.getTracer('svc-sdk').startSpan('by hand')
  span.addEvent('event')
  span.recordException(new Error('recorded'))
  span.end()
  const pieces = [await svcObserve('topic', () => look(id))]
  for await (const piece of read()) pieces.push(piece)
  return <p>{pieces.join()}</p>
}
