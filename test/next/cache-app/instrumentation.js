import { registerSvc } from '@svc/next'

export { onRequestError } from '@svc/next'
export const register = () => registerSvc({ serviceName: 'cache-app', ...JSON.parse(process.env.TEST_OPTIONS ?? '{}') })
