import { SvcSpanProcessor } from '@svc/otel'
import * as tracing from '@svc/tracing'
import { setActiveTraceIO, startActiveObservation, updateActiveObservation, type SvcSpan } from '@svc/tracing'

export const processor = new SvcSpanProcessor({ env: process.env, environment: 'test' })

export async function handle(question: string) {
  return startActiveObservation('answer', async (root) => {
    root.setTraceIO({ input: question })
    const output = await startActiveObservation('think', async (inner) => inner.update({ output: 1 }).id)
    setActiveTraceIO({ output })
    updateActiveObservation({ metadata: { question } })
    return output
  })
}

export function named(span: SvcSpan) {
  span.setTraceIO({ input: 1 }).end()
  tracing.setActiveTraceIO({ output: 2 })
}
