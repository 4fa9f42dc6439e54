import { warnOnce } from '@svc/core/log'
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

/** The options as they count: what plain JavaScript may say by mistake is reported and left out. */
export function readOptions(given: RegisterSvcOptions | undefined): RegisterSvcOptions {
  const options: Record<string, unknown> = { ...given }
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = options[name]
    if (value === undefined || (choices as readonly unknown[]).includes(value)) continue
    const expected = choices.map((choice) => `"${choice}"`).join(', ')
    warnOnce(`option ${name} of registerSvc is ignored: expected one of ${expected}.`)
    delete options[name]
  }
  return options
}
