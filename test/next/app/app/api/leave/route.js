import { withSvc } from '@svc/next'
import { redirect } from 'next/navigation'

export const POST = withSvc({ name: 'leave' }, () => redirect('/who'))
