import { context } from '@svc/core/api'
import { deliverWithRequests } from '../delivery.ts'
import type { Identity } from '../identity/identity.ts'
import { propagateIdentity } from '../identity/propagate.ts'
import { trustedContext } from '../identity/trust.ts'
import { runWork, type WorkOptions } from '../work.ts'

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
    propagateIdentity(known, () => runWork(context.active(), name, options, input, async () => work())),
  )
}
