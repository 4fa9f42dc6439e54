import { attempt } from '@svc/core/attempt'
import { builtin } from '@svc/core/builtin'
import { warnOnce } from '@svc/core/log'
import * as SLOTS from '@svc/core/slots'

/** The part of Next's module about the current render that is used here. The module is not public. */
interface WorkUnits {
  readonly workUnitAsyncStorage?: { getStore?(): { readonly type?: unknown } | undefined }
}

const MODULE = /[\\/]next[\\/]dist[\\/]server[\\/]app-render[\\/]work-unit-async-storage\.external\.js$/

// On globalThis: bundlers make a copy of this module for each of Next's layers.
const SLOT = Symbol.for(SLOTS.NEXT_WORK_UNITS)
const slots = globalThis as unknown as Record<symbol, WorkUnits | undefined>

/**
 * Returns whether Next renders here for its cache (`revalidate`, Cache Components) and not for one request. Reading the
 * headers would then make the route dynamic, or fail it. Next tells it nowhere else.
 *
 * @returns undefined where this version of Next does not say so
 */
export function rendersForCache(): boolean | undefined {
  slots[SLOT] ??= attempt('ask Next what it renders', load) ?? {}
  const { workUnitAsyncStorage } = slots[SLOT]
  if (typeof workUnitAsyncStorage?.getStore !== 'function') {
    warnOnce('this version of Next does not show when it renders for its cache, so GET handlers are not observed.')
    return undefined
  }
  return String(workUnitAsyncStorage.getStore()?.type).startsWith('prerender')
}

/** As Next has loaded it: a bundler would fail over a module that has moved, and another copy would know nothing. */
function load(): WorkUnits | undefined {
  const { cache = {} } = builtin('node:module')?.createRequire(`${process.cwd()}/package.json`) ?? {}
  const path = Object.keys(cache).find((each) => MODULE.test(each))
  return path === undefined ? undefined : (cache[path]?.exports as WorkUnits | undefined)
}
