import { propagateAttributes } from '@svc/tracing'
import type { Identity } from './identity.ts'

/** Runs `work` with an identity: the active span and every span inside get user, session, tags, … */
export function propagateIdentity<R>(
  identity: Identity & { readonly traceName?: string | undefined },
  work: () => R,
): R {
  const isEmpty = Object.values(identity).every((value) => value === undefined)
  return isEmpty ? work() : propagateAttributes(identity, work)
}
