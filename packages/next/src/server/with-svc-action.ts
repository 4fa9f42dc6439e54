import { context } from '@svc/core/api'
import { followers } from '#followers'
import {
  deliverWithRequests,
  isInactive,
  mergeIdentities,
  propagateIdentity,
  resolveIdentity,
  runWork,
  trustedContext,
} from '#implementation'
import { rendersForCache } from '#render'
import { forwardedHere } from '../identity/forwarded.ts'
import type { IdentityOptions } from '../identity/identity.ts'
import type { Forwarded } from '../identity/seal.ts'
import { inputOf } from '../input.ts'
import type { WorkOptions } from '../work.ts'

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
  return async (...args) =>
    // Called by a page that is rendered for the cache, it is no action, and belongs to no user.
    isInactive() || rendersForCache()
      ? action(...args)
      : observeAction(name, options ?? {}, action, args, forwardedHere())
}

/** Observes one call of a server action. What the action returns or throws reaches Next as it is. */
async function observeAction<Args extends unknown[], R>(
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
