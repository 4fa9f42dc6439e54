import { withSvc } from '@svc/next'
import { notFound } from 'next/navigation'

export const POST = withSvc({ name: 'missing' }, () => notFound())
