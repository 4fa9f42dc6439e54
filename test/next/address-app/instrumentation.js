import { onRequestError as record, registerSvc } from '@svc/next'

// With the same build it is started without us, too.
const wanted = process.env.TEST_INSTRUMENTATION !== 'none'
export const onRequestError = (...args) => wanted && record(...args)
export const register = () => wanted && registerSvc(JSON.parse(process.env.TEST_OPTIONS ?? '{}'))
