import { svcShare, withSvc } from '@svc/next'

export const POST = withSvc({ name: 'shared' }, async () => Response.json(await svcShare()))
