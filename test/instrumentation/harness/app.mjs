// Does what the cases of libraries say, one after the other, and prints what an application got to see of it.
// node [--import @svc/register] --expose-gc app.mjs <list of { folder, name, kind, url, only? }, as JSON>
import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { startActiveObservation } from '@svc/tracing'

let rejections = []
process.on('unhandledRejection', (reason) => rejections.push(describe(reason)))

// Of spans that start in the same millisecond, only this tells which was first.
let starts = 0
globalThis[Symbol.for('svc.runtime.6')]?.watch({
  started: (span) => span.setAttribute('svc.internal.started', starts++),
  ended() {},
})

const seen = []
for (const [index, variant] of JSON.parse(process.argv[2]).entries()) seen.push(await casesOf(variant, index))
// Metrics leave with a flush, or when the event loop runs empty.
if (process.env.SVC_GENAI_METRICS) await globalThis[Symbol.for('svc.runtime.6')].forceFlush()
// Some libraries leave timers behind that would hold the process for minutes.
process.stdout.write(JSON.stringify(seen), () => process.kill(process.pid, 'SIGTERM'))

async function casesOf({ folder, name, kind, url, only }, index) {
  const { load, connect, cases } = await import(pathToFileURL(`${folder}/cases.mjs`))
  const exports = await load[kind](name)
  const [version = ''] = /\d+(\.\d+)*/.exec(name) ?? []
  const results = {}
  for (const [title, found] of Object.entries(cases)) {
    const { does, since, before, named = '' } = typeof found === 'function' ? { does: found } : found
    if (only && !only.includes(title)) continue
    if (!name.includes(named) || isBefore(version, since) || (before && !isBefore(version, before))) continue
    rejections = []
    // The kit is made inside: what holds a client would hold its answers.
    const act = () => does({ exports, url, client: connect({ exports, url }) })
    const result = await startActiveObservation(`${index} ${title}`, act)
    await settled()
    results[title] = { result, rejections }
  }
  return results
}

/** What nobody can read any more is collected, and the calls that wait for a reader end. */
async function settled() {
  await turn()
  // Rounds, not a time: where an answer arrives late, so do its last bytes.
  for (let round = 0; round < 2_000 && globalThis[Symbol.for('svc.open-calls.6')]?.size; round++) {
    globalThis.gc()
    await turn()
  }
}

function describe(reason) {
  return reason instanceof Error ? `${reason.constructor.name}: ${reason.message}` : String(reason)
}

/** Whether a version, as far as it is given, is older than another: 0.5.18 than 0.37. */
function isBefore(version, other = 0) {
  const [ours, theirs] = [version, other].map((each) => String(each).split('.').map(Number))
  const at = theirs.findIndex((number, index) => number !== (ours[index] ?? 0))
  return at >= 0 && (ours[at] ?? 0) < theirs[at]
}
