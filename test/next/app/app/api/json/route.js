import { withSvc } from '@svc/next'

export const GET = withSvc({}, (request) => Response.json({ path: request.nextUrl.pathname }))
export const POST = withSvc({ name: 'echo' }, async (request) => Response.json(await request.json()))
