// One variant of bench/instrumentation.mjs in a process of its own: calls a model that answers at once, inside the
// process, and prints the CPU that one call took, and what it left behind. Nothing is exported.
import { createRequire } from 'node:module'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { LIBRARIES } from './calls/libraries.mjs'

const [variant, library, mode] = process.argv.slice(2)
const require = createRequire(import.meta.url)
const { load, replies, peers, svc, connect } = LIBRARIES[library]

if (variant !== 'none') {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [] }))
}
if (variant === 'svc') {
  const { hookModules } = require('@svc/instrumentation/hook')
  hookModules(Object.values(require('@svc/instrumentation/targets').targets))
}
const instrument = variant === 'svc' ? svc : peers[variant]
instrument?.(load)
const exports = load()

const reply = replies[mode === 'stream' ? 'stream' : 'plain']
globalThis.fetch = async () => reply()
const call = connect(exports, { fetch: globalThis.fetch })[mode === 'stream' ? 'stream' : 'plain']

async function make(calls) {
  for (let n = 1; n <= calls; n++) {
    await call()
    if (n % 50 === 0) await new Promise(setImmediate)
  }
}

const CALLS = { plain: 10_000, stream: 1_500, memory: 100_000 }[mode]
await make(CALLS / 3)
const heap = settledHeap()
const before = process.threadCpuUsage()
await make(CALLS)
const { user, system } = process.threadCpuUsage(before)
console.log(JSON.stringify({ micros: (user + system) / CALLS, kept: settledHeap() - heap }))

/** What lives, in KiB; only with --expose-gc. */
function settledHeap() {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1024
}
