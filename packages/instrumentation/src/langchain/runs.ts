import * as SLOTS from '@svc/core/slots'
import type { LangChainRun } from './run.ts'

/** Most open runs; beyond that the oldest are ended as abandoned. */
const LIMIT = 10_000
/** Runs older than this are ended as abandoned: LangChain does not report runs that it drops. */
const LONGEST_MS = 6 * 3_600_000

// On globalThis: the application's handler, the preload's handler and copies of this module share the runs.
const SLOT = Symbol.for(SLOTS.LANGCHAIN_RUNS)
const slots = globalThis as unknown as Record<symbol, Map<string, LangChainRun> | undefined>

function openRuns(): Map<string, LangChainRun> {
  slots[SLOT] ??= new Map()
  return slots[SLOT]
}

/** Returns the open run with this id of LangChain's. */
export function getRun(id: unknown): LangChainRun | undefined {
  return typeof id === 'string' ? openRuns().get(id) : undefined
}

export function addRun(run: LangChainRun): void {
  const runs = openRuns()
  for (const oldest of runs.values()) {
    if (runs.size < LIMIT && run.startedAt - oldest.startedAt < LONGEST_MS) break
    oldest.end('abandoned')
    removeRun(oldest)
  }
  runs.set(run.id, run)
}

export function removeRun(run: LangChainRun): void {
  const runs = openRuns()
  if (runs.get(run.id) === run) runs.delete(run.id)
}
