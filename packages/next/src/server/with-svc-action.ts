import { isInactive } from '#implementation'
import { rendersForCache } from '#render'
import { forwardedHere } from '../identity/forwarded.ts'
import type { IdentityOptions } from '../identity/identity.ts'
import type { WorkOptions } from '../work.ts'
import { observeAction } from './observe-action.ts'

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
