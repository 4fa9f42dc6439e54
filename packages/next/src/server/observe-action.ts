import { context } from '@svc/core/api'
import { followers } from '#followers'
import {
  deliverWithRequests,
  mergeIdentities,
  propagateIdentity,
  resolveIdentity,
  runWork,
  trustedContext,
} from '#implementation'
import type { Forwarded } from '../identity/seal.ts'
import { inputOf } from '../input.ts'
import type { WithSvcActionOptions } from './with-svc-action.ts'

/** Observes one call of a server action. What the action returns or throws reaches Next as it is. */
export async function observeAction<Args extends unknown[], R>(
  name: string,
  options: WithSvcActionOptions<Args>,
  action: (...args: Args) => R | Promise<R>,
  args: Args,
  forwarding: Promise<Forwarded | undefined>,
): Promise<R> {
  deliverWithRequests()
  const [found, forwarded] = await Promise.all([resolveIdentity(options, args), forwarding])
  const identity = { ...mergeIdentities(forwarded?.identity, found), traceName: options.name }
  const input = args.length > 1 ? args.map(inputOf) : inputOf(args[0])
  const work = () => runWork(context.active(), name, options, input, async () => action(...args), followers)
  return context.with(trustedContext(forwarded), () => propagateIdentity(identity, work))
}
