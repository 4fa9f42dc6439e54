import { context } from '@svc/core/api'
import { followers } from '#followers'
import { deliverWithRequests, isInactive, propagateIdentity, runWork, trustedContext } from '#implementation'
import type { Identity } from '../identity/identity.ts'
import type { WorkOptions } from '../work.ts'
import { identityOfRender } from './svc-user.ts'

/** Options of {@link svcObserve}. */
export interface SvcObserveOptions extends Omit<WorkOptions, 'name' | 'captureInput'> {
  /** The input to record. */
  readonly input?: unknown
}

/**
 * Observes work in a server component: everything `work` does becomes part of the trace of the request, for the user
 * that {@link svcUser} knows. What Next makes for its cache, such as a function with `'use cache'`, is for no user and in a
 * trace of its own, also when it is called inside `work`.
 *
 * @returns what `work` returns
 * @example
 * const documents = await svcObserve('search', () => index.find(query), { asType: 'retriever', input: query })
 */
export async function svcObserve<R>(
  name: string,
  work: () => R | Promise<R>,
  { input, ...options }: SvcObserveOptions = {},
): Promise<R> {
  return isInactive() ? work() : observeRender(name, options, input, work, identityOfRender())
}

/** Observes work of a server component. What the work returns or throws reaches React as it is. */
async function observeRender<R>(
  name: string,
  options: Omit<WorkOptions, 'name'>,
  input: unknown,
  work: () => R | Promise<R>,
  identity: Promise<Identity>,
): Promise<R> {
  deliverWithRequests()
  const known = await identity
  return context.with(trustedContext(), () =>
    propagateIdentity(known, () => runWork(context.active(), name, options, input, async () => work(), followers)),
  )
}
