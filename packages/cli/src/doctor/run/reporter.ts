import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { onExit } from '@svc/core/exit'
import { log, messageOf } from '@svc/core/log'
import { getRuntime, getSvcHealth, type Runtime } from '@svc/core/registry'
import { type SpanLeftOut, type SpanStarted, spanLeftOut, spanStarted } from '@svc/core/span-events'
import { listLoadedPackages } from '@svc/instrumentation/hook'
import type { ProcessReport } from './process-report.ts'

// Loaded after the preload, as `reporter.js?to=<folder>`, because a variable would change the environment of the app.
const folder = new URL(import.meta.url).searchParams.get('to')
if (folder !== null && isMainThread) observe(fileURLToPath(folder))

/** Writes a report about the spans of this process: at its start, and at its end after the last delivery. */
function observe(folder: string): void {
  const started = new Map<string, number>()
  const leftOut = new Map<string, SpanLeftOut & { count: number }>()
  let runtime: Runtime | undefined
  const write = (isFinal: boolean) => {
    // An app that shuts svc down removes it from the registry.
    runtime ??= getRuntime()
    const report: ProcessReport = {
      pid: process.pid,
      command: process.argv.slice(1),
      isTraced: runtime !== undefined,
      isFinal,
      libraries: listLoadedPackages(),
      started: Object.fromEntries(started),
      leftOut: [...leftOut.values()],
      health: runtime?.health?.() ?? getSvcHealth(),
    }
    try {
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(report))
    } catch (error) {
      log.debug(`svc doctor gets no report: ${messageOf(error)}`)
    }
  }
  const last = {
    timeoutMs: 0,
    pending: () => false,
    flush: async () => {},
    close: () => write(true),
  }
  let place = onExit(last)
  place.listen()
  spanStarted?.subscribe((message) => {
    const { scope } = message as SpanStarted
    if (started.size === 0) {
      // The exporter registers its exit handler with the first span, and has to run before this one.
      queueMicrotask(() => {
        place.remove()
        place = onExit(last)
      })
    }
    started.set(scope, (started.get(scope) ?? 0) + 1)
  })
  spanLeftOut?.subscribe((message) => {
    const { scope, reason } = message as SpanLeftOut
    const key = `${reason} ${scope}`
    leftOut.set(key, { scope, reason, count: (leftOut.get(key)?.count ?? 0) + 1 })
  })
  write(false)
}
