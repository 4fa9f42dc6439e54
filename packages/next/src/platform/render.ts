import { warnOnce } from '@svc/core/log'
import { findRoute as findRouteOfWork, mustBeStatic, readUnitType, worksForCache } from '@svc/core/next-work'
import { isBuilding } from '../host.ts'

/**
 * Returns whether Next renders here for its cache and not for one request.
 *
 * @returns undefined where this version of Next does not say so
 */
export function rendersForCache(): boolean | undefined {
  const forCache = worksForCache()
  if (forCache === undefined)
    warnOnce('this version of Next does not show when it renders for its cache, so GET handlers are not observed.')
  return forCache
}

/** Returns whether the headers of a request can be asked for here: at worst that makes dynamic what Next prerenders. */
export function mayReadHeaders(): boolean {
  if (mustBeStatic()) return false
  if (!worksForCache()) return true
  const type = readUnitType()
  // Without Cache Components a page fails that becomes dynamic when a server renders it for the cache.
  return type === 'prerender' || type === 'prerender-ppr' || (type === 'prerender-legacy' && isBuilding())
}

/** Returns the route that Next serves here: `/api/chats/[id]`. */
export const findRoute: (within?: unknown) => string | undefined = findRouteOfWork
