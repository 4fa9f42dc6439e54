import { svcProxy } from '@svc/next'
import { startActiveObservation } from '@svc/tracing'
import { NextResponse } from 'next/server'

const cookie = (name) => (request) => request.cookies.get(name)?.value

export const proxy = svcProxy({ user: cookie('user'), session: cookie('session') }, (request) => {
  const { searchParams } = request.nextUrl
  if (searchParams.has('guarded')) startActiveObservation('guard', () => {}, { asType: 'guardrail' })
  if (searchParams.has('away')) return NextResponse.redirect(new URL('/api/json', request.url))
  return NextResponse.next()
})

export const config = { matcher: '/((?!_next/|api/direct).*)' }
