import { withSvc } from '@svc/next'

export const POST = withSvc({ name: 'failed' }, () => {
  throw new Error('the handler broke')
})
