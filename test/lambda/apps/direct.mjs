// Calls a handler, and is killed with its answer.
import { framework } from './module.mjs'

await framework({ question: 'one' }, {})
process.kill(process.pid, 'SIGKILL')
