import { withSvc } from '@svc/next'

export const POST = withSvc({ name: 'empty' }, () => new Response(null, { status: 204 }))
export const DELETE = withSvc({ name: 'refused' }, () => new Response('no', { status: 503 }))
