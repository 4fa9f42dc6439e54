import { svcProxy } from '@svc/next'
import { type NextRequest, NextResponse } from 'next/server'

export const config = { matcher: ['/', '/api/:path*'] }

// Who a request is for is said here, once: the page, its action and the route take it from the proxy.
export const proxy = svcProxy({ user: guestOf, session: sessionOf }, (request) => {
  const response = NextResponse.next()
  // Not in the answer to an action: Next would fetch the page anew.
  if (request.method === 'GET') response.cookies.set('session', sessionOf(request), { httpOnly: true, sameSite: 'lax' })
  return response
})

// What stands for your sign-in: a cookie that lasts until the browser is closed, and guests.
function sessionOf({ cookies }: NextRequest): string {
  const session = cookies.get('session')?.value ?? crypto.randomUUID().replaceAll('-', '')
  cookies.set('session', session)
  return session
}

function guestOf(request: NextRequest): string {
  return `guest-${sessionOf(request).slice(0, 4)}`
}
