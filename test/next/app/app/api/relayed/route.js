import { withSvc } from '@svc/next'

/** The response of a fetch, whose headers cannot be changed. */
export const GET = withSvc({ name: 'relayed', traceHeader: true }, (request) =>
  fetch(new URL('/api/json', request.nextUrl.origin)),
)
