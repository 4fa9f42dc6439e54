import { withSvc } from '@svc/next'

/** Next answers from its cache, and makes the answer anew when it is older than a second. */
export const revalidate = 1

export const GET = withSvc({ name: 'fresh' }, () => Response.json({ number: Math.random() }))
