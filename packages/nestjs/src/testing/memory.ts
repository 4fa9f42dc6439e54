import { environmentOf, hostEnvironment } from '@svc/core/environment'
import { getRuntime } from '@svc/core/registry'
import * as SLOTS from '@svc/core/slots'
import { start } from '@svc/register/start'
import { isRegistered } from '../runtime.ts'
import type { EndedSpan } from './span.ts'

/** The spans that ended in this process, for tests. */
export interface Memory {
  spans: EndedSpan[]
}

// On globalThis: the pipeline of a process is one, however many copies of this module its tests load.
const SLOT = Symbol.for(SLOTS.NESTJS_TESTING)
const slots = globalThis as unknown as Record<symbol, Memory | undefined>

/**
 * Starts a pipeline that keeps spans in memory and sends nothing, once a process.
 *
 * @throws {Error} when another pipeline runs, whose spans would not be kept here
 */
export function memory(): Memory {
  const known = slots[SLOT]
  if (known && getRuntime()) return known
  const fresh: Memory = { spans: [] }
  const owner = getRuntime()?.owner ?? (isRegistered() ? 'another OpenTelemetry provider' : undefined)
  if (owner) {
    throw new Error(`svc: SvcTestingModule cannot see spans, because ${owner} was started first: run tests without it.`)
  }
  // Jest hands out modules by itself, so that none can be hooked.
  const instrument = hostEnvironment('JEST_WORKER_ID') === undefined
  const options = {
    owner: '@svc/nestjs/testing',
    exporter: exporterTo(fresh),
    exportMode: 'immediate',
    instrument,
  } as const
  start(options, environmentOf({}))
  if (!getRuntime()) {
    throw new Error('svc: SvcTestingModule cannot see spans, because svc could not start: the line before says why.')
  }
  slots[SLOT] = fresh
  return fresh
}

function exporterTo(memory: Memory) {
  return {
    export(spans: EndedSpan[], done: (result: { code: number }) => void) {
      memory.spans.push(...spans)
      done({ code: 0 })
    },
    async forceFlush() {},
    async shutdown() {},
  }
}
