import { withSvc } from '@svc/next'

export const POST = withSvc({}, async (_request, { params }) => Response.json(await params))
