import { startObservation } from '@svc/tracing'

startObservation('held').end()
if (process.argv.at(-1) === 'exits') process.exit(3)
