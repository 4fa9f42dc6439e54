import { withSvc } from '@svc/next'

export const GET = withSvc({ name: 'on node', user: 'ada' }, () => Response.json({ done: true }))
