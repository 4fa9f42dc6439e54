import { withSvc } from '@svc/next'
import { startObservation } from '@svc/tracing'

/** Not reached by the proxy: who it is for is said here. */
export const GET = withSvc(
  {
    user: async (request) => {
      const user = request.nextUrl.searchParams.get('user')
      // So that requests overlap.
      await new Promise((resolve) => setImmediate(resolve))
      if (user === 'nobody') throw new Error('no such user')
      return user
    },
    session: (request) => request.headers.get('x-session'),
    traceHeader: true,
  },
  async (request) => {
    await new Promise((resolve) => setImmediate(resolve))
    startObservation('step').end()
    return Response.json({ user: request.nextUrl.searchParams.get('user') })
  },
)
