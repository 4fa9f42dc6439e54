import { withSvc } from '@svc/next'
import { startActiveObservation } from '@svc/tracing'

export const config = { runtime: 'edge' }

export default withSvc({ name: 'on the edge', user: (request) => request.nextUrl.searchParams.get('user') }, () => {
  startActiveObservation('inside', () => {})
  const pieces = ['piece ', 'by ', 'piece']
  const body = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(piece))
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/plain', 'x-kept': 'yes' } })
})
