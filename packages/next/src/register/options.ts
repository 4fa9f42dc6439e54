import { warnOnce } from '@svc/core/log'
import { ownOptions } from '@svc/core/own-options'
import * as SLOTS from '@svc/core/slots'
import type { StartOptions } from '@svc/register/start'
import type { FlushMode } from '../host.ts'

/** Options of `registerSvc`: those of `SvcSpanProcessor` (keys, mask, filter, environment, …), and these. */
export interface RegisterSvcOptions extends Omit<StartOptions, 'owner' | 'scopes' | 'requestValues'> {
  /**
   * Next's own spans (scope `next.js`): `mute`, they cost nothing and are not there; `drop`, they are recorded for other
   * span processors and not sent; `keep`, they are sent. In all cases what is inside hangs from the nearest ancestor that
   * is sent. Default `mute`, or what `SVC_OTEL_ALLOWED_SCOPES` says.
   */
  readonly nextSpans?: 'mute' | 'drop' | 'keep' | undefined
  /**
   * When spans are delivered: `auto`, with each request on Vercel, AWS Lambda and edge runtimes, and in batches on a
   * server that lives on; `always` with each request; `never`. Default `auto`.
   */
  readonly flush?: FlushMode | undefined
}

const CHOICES = { nextSpans: ['mute', 'drop', 'keep'], flush: ['auto', 'always', 'never'] } as const

/** Returns the valid options: mistakes of plain JavaScript are reported and left out. */
export function readOptions(given: RegisterSvcOptions | undefined): RegisterSvcOptions {
  const options: Record<string, unknown> = ownOptions((given ?? {}) as Record<string, unknown>)
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = options[name]
    if (value === undefined || (choices as readonly unknown[]).includes(value)) continue
    const expected = choices.map((choice) => `"${choice}"`).join(', ')
    warnOnce(`option ${name} of registerSvc is ignored: expected one of ${expected}.`)
    delete options[name]
  }
  return options
}

// On globalThis: bundlers make a copy of this module for each of Next's layers.
const SLOT = Symbol.for(SLOTS.NEXT_OPTIONS)
const slots = globalThis as unknown as Record<symbol, Partial<Record<string, unknown>> | undefined>

/**
 * Returns the options that differ from those of the call before, for a pipeline that runs: files that are compiled
 * again in development call `registerSvc` again with the same options.
 */
export function changedOptions<Options extends object>(options: Options): Partial<Options> {
  const before = slots[SLOT]
  slots[SLOT] = Object.fromEntries(Object.entries(options))
  const changed = Object.entries(options).filter(([name, value]) => !before || !isSame(before[name], value))
  return Object.fromEntries(changed) as Partial<Options>
}

/** Functions and objects with some count as different, because what they refer to cannot be compared. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  return Array.isArray(one) && Array.isArray(other) && one.join() === other.join()
}
