import { svcProxy } from '@svc/next'
import { NextResponse } from 'next/server'

const cookie = (name) => (request) => request.cookies.get(name)?.value
const pass = () => NextResponse.next()

export const proxy =
  process.env.TEST_INSTRUMENTATION === 'none'
    ? pass
    : svcProxy({ user: cookie('user'), session: cookie('session') }, pass)
