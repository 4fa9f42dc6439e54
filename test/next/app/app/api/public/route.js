import { svcShare, withSvc } from '@svc/next'

/** Prerendered: there is no trace that could be public. */
export const GET = withSvc({ name: 'public' }, async () => Response.json({ shared: (await svcShare()) ?? null }))
