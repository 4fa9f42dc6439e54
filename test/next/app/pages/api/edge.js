import { withSvc } from '@svc/next'

export const config = { runtime: 'edge' }

const user = (request) => request.nextUrl.searchParams.get('user')
export default withSvc({ name: 'on the edge', user }, () => new Response('Write to ada@example.com'))
