import { svcProxy } from '@svc/next'

// The older name of proxy.js, which runs on the edge.
export const middleware = svcProxy({ session: (request) => request.cookies.get('session')?.value, name: 'middleware' })

export const config = { matcher: '/api/node' }
