import { svcProxy } from '@svc/next'

export const proxy = svcProxy({ user: (request) => request.cookies.get('user')?.value })
