import { withSvc } from '@svc/next'

/** Fails when a part of its answer is out. */
export const POST = withSvc({ name: 'breaks' }, () => {
  let pieces = 0
  const body = new ReadableStream({
    pull(controller) {
      pieces += 1
      if (pieces < 3) controller.enqueue(new TextEncoder().encode('piece '))
      else controller.error(new Error('the stream broke'))
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/plain' } })
})
