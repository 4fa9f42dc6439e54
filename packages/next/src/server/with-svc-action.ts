import { context } from '@opentelemetry/api'
import { deliverWithRequests } from '../delivery.ts'
import { isBuilding } from '../host.ts'
import { forwardedHere } from '../identity/forwarded.ts'
import { type IdentityOptions, mergeIdentities, resolveIdentity } from '../identity/identity.ts'
import { propagateIdentity } from '../identity/propagate.ts'
import { trustedContext } from '../identity/trust.ts'
import { inputOf } from '../input.ts'
import { runWork, type WorkOptions } from '../work.ts'

/** Options of {@link withSvcAction}. Each resolver gets the arguments of the action. */
export interface WithSvcActionOptions<Args extends readonly unknown[]> extends IdentityOptions<Args>, WorkOptions {}

/**
 * Makes every call of a server action an observation, with its arguments as input and its result as output; a result
 * that streams is followed to its end. `redirect()`, `notFound()` and the like are no errors.
 *
 * @param options `name` (default: name of the function, else `server-action`), `user`, `session`, `tags`, `metadata`,
 *   `version`, `asType`, `captureInput`, `captureOutput`
 * @param action the server action
 * @returns the action to export from a `'use server'` file
 * @example
 * export const ask = withSvcAction({ name: 'ask', user: getUser }, async (form: FormData) => answer(form.get('question')))
 */
export function withSvcAction<Args extends unknown[], R>(
  options: WithSvcActionOptions<Args>,
  action: (...args: Args) => R | Promise<R>,
): (...args: Args) => Promise<R> {
  if (typeof action !== 'function') throw new TypeError('svc: withSvcAction(options, action) needs a function.')
  const name = options?.name ?? (action.name || 'server-action')
  return async (...args) => {
    if (isBuilding()) return action(...args)
    deliverWithRequests()
    const [found, forwarded] = await Promise.all([resolveIdentity(options ?? {}, args), forwardedHere()])
    const identity = { ...mergeIdentities(forwarded?.identity, found), traceName: options?.name }
    const input = args.length > 1 ? args.map(inputOf) : inputOf(args[0])
    const work = () => runWork(context.active(), name, options ?? {}, input, async () => action(...args))
    return context.with(trustedContext(forwarded), () => propagateIdentity(identity, work))
  }
}
