import { registerSvc } from '@svc/next'

export { onRequestError } from '@svc/next'
export const register = () => registerSvc()
