import { context } from '@svc/core/api'
import { followers } from '#followers'
import { deliverWithRequests, propagateIdentity, runWork, trustedContext } from '#implementation'
import type { Identity } from '../identity/identity.ts'
import type { WorkOptions } from '../work.ts'

/** Observes work of a server component. What the work returns or throws reaches React as it is. */
export async function observeRender<R>(
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
