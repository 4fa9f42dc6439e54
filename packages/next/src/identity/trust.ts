import type { Context } from '@opentelemetry/api'
import { context, isSpanContextValid, trace } from '@svc/core/api'
import { withTrustedBaggage } from '@svc/core/trust'
import { callerTrust } from '../host.ts'
import type { Forwarded } from './seal.ts'

/**
 * The active context, without what a client claims about user, session and tags; under the span of the proxy, where no
 * span of this process is above.
 */
export function trustedContext(forwarded?: Forwarded): Context {
  const trusted = withTrustedBaggage(context.active(), callerTrust().trustBaggage)
  if (!forwarded?.parent) return trusted
  const parent = { ...forwarded.parent, isRemote: true }
  const above = trace.getSpanContext(trusted)
  if (!isSpanContextValid(parent) || (above && isSpanContextValid(above) && !above.isRemote)) return trusted
  return trace.setSpanContext(trusted, parent)
}
