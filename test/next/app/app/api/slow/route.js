import { withSvc } from '@svc/next'
import { startActiveObservation, startObservation } from '@svc/tracing'
import { after } from 'next/server'

/** Text that comes until the client has enough: each piece after somebody wanted it. */
export const GET = withSvc({ name: 'slow' }, () => {
  after(() => startObservation('afterwards').end())
  const pieces = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('first '))
    },
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      startActiveObservation('piece', () => {})
      controller.enqueue(new TextEncoder().encode('more '))
    },
  })
  return new Response(pieces, { headers: { 'content-type': 'text/plain' } })
})
