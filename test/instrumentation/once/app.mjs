// Does what a list of cases says, one after the other, each within an observation, and prints what came of it.
// node [--import …] app.mjs <list of cases> <import|require> <model URL>
import { createRequire } from 'node:module'
import { startActiveObservation } from '@svc/tracing'

const [list, kind, url] = process.argv.slice(2)
const load = kind === 'import' ? (name) => import(name) : createRequire(import.meta.url)
const { default: cases } = await import(`./${list}.mjs`)

const seen = {}
for (const [title, does] of Object.entries(cases)) {
  seen[title] = await startActiveObservation(title, () => does({ load, url, kind })).catch(
    (error) => `${error.name}: ${error.message}`,
  )
}
await globalThis.flush?.()
// Some libraries leave timers behind that would hold the process for minutes.
process.stdout.write(JSON.stringify(seen), () => process.kill(process.pid, 'SIGTERM'))
