import { startActiveObservation } from '@svc/tracing'

startActiveObservation('before the snapshot', () => {})

export { handler } from './module.mjs'
