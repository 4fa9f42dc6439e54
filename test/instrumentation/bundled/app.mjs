// An application that is bundled together with its libraries: a call of each, in an observation of its own. The
// argument is where the models are.
import { startActiveObservation } from '@svc/tracing'
import './seen.mjs'
import { clients } from './clients.mjs'
import { frameworks } from './frameworks.mjs'

globalThis.AI_SDK_LOG_WARNINGS = false
const [url] = process.argv.slice(2)
for (const [name, call] of Object.entries({ ...clients, ...frameworks })) {
  await startActiveObservation(name, () => call(url))
}
process.kill(process.pid, 'SIGTERM')
