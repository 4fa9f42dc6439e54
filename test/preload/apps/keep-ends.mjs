// An open trace with an error, an open one without, and one that waits for a score; then the end that HOW names.
import { getSvcHealth } from '@svc/register'
import { startObservation } from '@svc/tracing'

startObservation('failing').startObservation('failed', { level: 'ERROR' }).end()
startObservation('open').startObservation('held').end()
startObservation('ended').end()
process.on('exit', () => console.log(JSON.stringify(getSvcHealth().traces)))
if (process.env.HOW === 'exit') process.exit(3)
if (process.env.HOW === 'throw') throw new Error('the application failed')
setInterval(() => {}, 1_000)
console.log('ready')
