// Makes spans and then ends, in the way that the plan in its first argument names.
import cluster from 'node:cluster'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { makeSpans, print } from './make.mjs'

const plan = isMainThread ? JSON.parse(process.argv[2]) : workerData
const ends = () => print(`ends ${Math.round(performance.timeOrigin + performance.now())}`)
const stay = () => setInterval(() => {}, 1_000)
/** What `node --watch` follows, where it does: nothing, until this program makes it. */
const watched = process.env.WATCHED

/** The runtime of svc, or the provider of the stock preload: both can flush and shut down. */
async function pipeline() {
  if (globalThis.stock) return globalThis.stock
  const { getRuntime } = await import('@svc/core/registry')
  return getRuntime()
}

const WAYS = {
  naturally: () => ends(),
  'process.exit': () => {
    ends()
    process.exit(3)
  },
  'a throw': () => {
    setImmediate(() => {
      ends()
      throw new Error('the application failed')
    })
  },
  'a rejection': () => {
    ends()
    Promise.reject(new Error('the application failed'))
  },
  'a signal': stay,
  /** A fifth of a second later, by its own clock: its timers and its disk have had their turns by then. */
  'a kill': async () => {
    for (let turn = 0; turn < 20; turn += 1) await pause(10)
    process.kill(process.pid, 'SIGKILL')
  },
  'a handled signal': () => {
    stay()
    process.on('SIGTERM', () => process.exit(5))
  },
  'a change of a watched file': async () => {
    writeFileSync(watched, '')
    await import(pathToFileURL(watched))
    ends()
    // It is followed from a moment after the import. A further change sends a further signal, and a process that is
    // still sending then sends again: it comes long after, for where the first was too early.
    const change = () => writeFileSync(watched, '// changed')
    setTimeout(change, 500)
    setInterval(change, 10_000)
  },
  'a signal after one that was ignored': () => {
    stay()
    process.once('SIGINT', () => print('ignored'))
  },
  'a signal while spans end': () => {
    setInterval(() => makeSpans({ spans: 1 }, 1_000_000 + plan.make.spans++), 1)
  },
  'a shutdown in a handler': async () => {
    stay()
    const it = await pipeline()
    process.on('SIGTERM', async () => {
      await it.shutdown()
      process.exit(6)
    })
  },
  'a flush': async () => {
    await (await pipeline()).forceFlush()
    print('went on')
    ends()
  },
  'a shutdown': async () => {
    await (await pipeline()).shutdown()
    print('went on')
    ends()
  },
  'out of memory': () => {
    const kept = []
    const fill = () => {
      for (let n = 0; n < 100; n += 1) kept.push(new Array(10_000).fill(n))
      setImmediate(fill)
    }
    setTimeout(fill, 200)
  },
  'telling its memory': () => {
    print(`memory ${Math.round(process.memoryUsage.rss() / 1_048_576)}`)
    ends()
    process.exit(0)
  },
  /** Stays until nobody writes to it any more. */
  'when told': async () => {
    process.stdin.resume()
    await once(process.stdin, 'end')
    ends()
  },
}

async function run() {
  if (plan.shape === 'cluster' && cluster.isPrimary) {
    for (let n = 0; n < 2; n += 1) cluster.fork({ FIRST: String(n * plan.make.spans) })
    return
  }
  // It stays: where it was removed, `node --watch` would start this program a third time before it ends.
  if (watched && existsSync(watched)) {
    process.kill(process.ppid)
    return
  }
  await makeSpans(plan.make, Number(process.env.FIRST ?? plan.first ?? 0))
  print('ready')
  await WAYS[plan.end]()
}

if (plan.shape === 'thread' && isMainThread) {
  const worker = new Worker(new URL(import.meta.url), { workerData: plan })
  worker.on('error', () => {})
  worker.on('exit', () => ends())
  if (plan.isTerminated) {
    process.stdin.resume()
    await once(process.stdin, 'end')
    await worker.terminate()
  }
} else {
  await run()
}
