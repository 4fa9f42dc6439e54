import type { Context } from '@opentelemetry/api'
import { context } from '@svc/core/api'
import { identityIn } from '@svc/tracing/adapters'
import type { Identity } from './identity.ts'

/** An identity, and the name of its trace. */
interface Named extends Identity {
  readonly traceName?: string | undefined
}

/** Runs `work` with an identity: the active span and every span inside get user, session, tags, … */
export function propagateIdentity<R>(identity: Named, work: () => R): R {
  const active = context.active()
  const inner = withIdentity(active, identity)
  return inner === active ? work() : context.with(inner, work)
}

/** Returns the context with an identity: its span, and every span that starts in it, get user, session, tags, … */
export function withIdentity(within: Context, identity: Named): Context {
  const isEmpty = Object.values(identity).every((value) => value === undefined)
  return isEmpty ? within : identityIn(within, identity)
}
