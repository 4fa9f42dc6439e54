import { onRequestError as record, registerSvc } from '@svc/next'

// Each way to start it is tested with the same build.
const wanted = process.env.TEST_INSTRUMENTATION !== 'none'
export const onRequestError = (...args) => wanted && record(...args)
export const register = () =>
  wanted && registerSvc({ serviceName: 'next-app', ...JSON.parse(process.env.TEST_OPTIONS ?? '{}') })
