import { type Context, createContextKey } from '@opentelemetry/api'
import { attempt } from './attempt.ts'
import { builtin } from './builtin.ts'
import * as SLOTS from './slots.ts'

/*
 * What Next is doing here. It tells that nowhere else than in two modules that are not public.
 */

interface Storage<T> {
  getStore?(): T | undefined
}

interface Modules {
  readonly workUnitAsyncStorage?: Storage<{ readonly type?: unknown }>
  readonly workAsyncStorage?: Storage<{ readonly route?: unknown; readonly dynamicShouldError?: unknown }>
}

const PATHS = /[\\/]next[\\/]dist[\\/]server[\\/]app-render[\\/]work-(?:unit-)?async-storage\.external\.js$/

/** Work for one visitor. All other is for the cache: of a route, a page or a function. */
const FOR_A_VISITOR = ['undefined', 'request', 'prerender-runtime']

/** How often the modules are looked for: in a process without Next they never come. */
const MOST_LOOKS = 100

// On globalThis: bundlers make a copy of this module for each of Next's layers.
const SLOT = Symbol.for(SLOTS.NEXT_WORK)
const slots = globalThis as unknown as Record<symbol, { looks: number; modules?: Modules } | undefined>

/**
 * Returns whether Next makes something for its cache here (`use cache`, `revalidate`, prerendering, …) and not for one
 * visitor. Reading a request would then make it dynamic, or fail it.
 *
 * @returns undefined where Next does not run, or this version of it does not say so
 */
export function worksForCache(): boolean | undefined {
  const type = readUnitType()
  return type === undefined ? undefined : !FOR_A_VISITOR.includes(type)
}

const FOR_CACHE = createContextKey('svc.for-cache')

/**
 * Returns the context with what {@link worksForCache} says here, for a span that starts elsewhere: events of a request
 * come where its connection was opened, which may have been for another visitor.
 */
export function withWorkForCache(context: Context): Context {
  // Next puts this class there. In other processes nobody has to be asked.
  return 'AsyncLocalStorage' in globalThis ? context.setValue(FOR_CACHE, worksForCache()) : context
}

/** Returns {@link worksForCache} for a span that starts in this context. */
export function isForCache(context: Context): boolean {
  return 'AsyncLocalStorage' in globalThis && (context.getValue(FOR_CACHE) ?? worksForCache()) === true
}

/**
 * Returns the type of Next's unit of work, such as `request` or `prerender-legacy`: `'undefined'` outside of one, and
 * undefined where this is not known.
 */
export function readUnitType(): string | undefined {
  const { workUnitAsyncStorage: storage } = findModules()
  return typeof storage?.getStore === 'function' ? String(storage.getStore()?.type) : undefined
}

/** Returns the route that Next serves here, as in the name of its file: `/api/chats/[id]`. */
export function findRoute(): string | undefined {
  const route = findModules().workAsyncStorage?.getStore?.()?.route
  return typeof route === 'string' ? route : undefined
}

/** Returns whether what is rendered here must not ask for anything of a request (`dynamic = 'error'`). */
export function mustBeStatic(): boolean {
  return findModules().workAsyncStorage?.getStore?.()?.dynamicShouldError === true
}

function findModules(): Modules {
  slots[SLOT] ??= { looks: 0 }
  const known = slots[SLOT]
  if (known.modules) return known.modules
  known.looks += 1
  const found = attempt('ask Next what it renders', loadModules) ?? {}
  const isWhole = found.workUnitAsyncStorage && found.workAsyncStorage
  if (isWhole || known.looks > MOST_LOOKS) known.modules = found
  return found
}

/** As Next has loaded them: a bundler would fail over a module that has moved, and another copy would know nothing. */
function loadModules(): Modules {
  const { cache = {} } = builtin('node:module')?.createRequire(`${process.cwd()}/package.json`) ?? {}
  const paths = Object.keys(cache).filter((each) => PATHS.test(each))
  return Object.assign({}, ...paths.map((path) => cache[path]?.exports))
}
