import type { StartOptions } from '@svc/register/start'
import type { FlushMode } from '../host.ts'

/** Options of `registerSvc`: those of `SvcSpanProcessor` (keys, mask, filter, environment, …), and these. */
export interface RegisterSvcOptions extends Omit<StartOptions, 'owner' | 'scopes'> {
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

/** Instrumentation scope of Next's own spans. */
export const NEXT_SCOPE = 'next.js'
