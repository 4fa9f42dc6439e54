export { SvcClient } from '@svc/client'
