import { type Context, context } from '@opentelemetry/api'
import { withoutSvcBaggage } from '@svc/core/baggage'
import { trustsBaggage } from '../host.ts'

/** The active context, without what a client claims about user, session and tags. */
export function trustedContext(): Context {
  return trustsBaggage() ? context.active() : withoutSvcBaggage(context.active())
}
