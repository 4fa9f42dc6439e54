import { registerSvc } from '@svc/next'

export { onRequestError } from '@svc/next'
export const register = () => registerSvc({ serviceName: 'edge-app', ...JSON.parse(process.env.TEST_OPTIONS ?? '{}') })
