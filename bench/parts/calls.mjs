// One variant of bench/instrumentation.mjs in a process of its own: calls a model that answers at once, inside the
// process, and tells what one call took, or what many left behind. Nothing is exported.
import { createRequire } from 'node:module'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { FlatContextManager } from '../../packages/register/dist/flat-context-manager.js'
import { LIBRARIES } from './calls/libraries.mjs'

const [variant, library, mode] = process.argv.slice(2)
const WARM_UP = { plain: 4_000, stream: 600 }
const BLOCK = { plain: 200, stream: 20 }

const require = createRequire(import.meta.url)
const { load, replies, peers, svc, connect } = LIBRARIES[library]

if (variant !== 'none') {
  // Ours is the one that the preload registers.
  const ContextManager = variant === 'svc' ? FlatContextManager : AsyncLocalStorageContextManager
  context.setGlobalContextManager(new ContextManager().enable())
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [] }))
}
if (variant === 'svc') {
  const { hookModules } = require('@svc/instrumentation/hook')
  hookModules(Object.values(require('@svc/instrumentation/targets').TARGETS).flat())
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

if (mode === 'memory') {
  await make(WARM_UP.plain)
  const before = settledHeap()
  await make(100_000)
  console.log(JSON.stringify({ kept: settledHeap() - before }))
} else {
  await make(WARM_UP[mode])
  process.on('message', async () => process.send(await microsOfOne()))
}

async function microsOfOne() {
  const began = performance.now()
  await make(BLOCK[mode])
  return ((performance.now() - began) * 1_000) / BLOCK[mode]
}

/** What lives, in KiB; needs --expose-gc. */
function settledHeap() {
  globalThis.gc()
  return process.memoryUsage().heapUsed / 1024
}
