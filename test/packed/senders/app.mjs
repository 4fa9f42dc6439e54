// Runs the cases by one client, without those that follow the addresses, or a thousand streams.
import { runCases, runMany } from './cases.mjs'
import { SENDERS } from './senders.mjs'

const [sender, , , ...without] = process.argv.slice(2)
const send = SENDERS[sender]
if (without[0] === 'many') await runMany(send)
else await runCases(send, { without })
