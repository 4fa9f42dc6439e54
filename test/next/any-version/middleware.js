import { svcProxy } from '@svc/next'

const cookie = (name) => (request) => request.cookies.get(name)?.value

// The older name of proxy.js.
export const middleware = svcProxy({ user: cookie('user'), session: cookie('session') })

export const config = { matcher: '/api/:path*', runtime: 'nodejs' }
