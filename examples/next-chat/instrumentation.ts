import { onRequestError, registerSvc } from '@svc/next'

export { onRequestError }
export const register = () => registerSvc({ serviceName: 'next-chat' })
