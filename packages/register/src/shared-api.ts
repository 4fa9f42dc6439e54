import {
  type ContextManager,
  ProxyTracerProvider,
  type TextMapPropagator,
  type TracerProvider,
} from '@opentelemetry/api'
import { API_SLOT, type ApiGlobal, apiGlobal } from '@svc/core/api-global'
import { attempt } from '@svc/core/attempt'
import { versionOfCaller } from './api-version.ts'
import type { FlatContextManager } from './flat-context-manager.ts'

/*
 * What copies of OpenTelemetry's API share, with two owners: what is ours is there until the application registers its
 * own, and is never an obstacle for that. A copy registers like this: it reads the global object, assigns what it read,
 * and only then looks whether the place is taken. The assignment is what tells it from a copy that merely reads.
 */

/** What this pipeline registers. */
export interface OurApi {
  readonly provider: TracerProvider
  readonly contexts: FlatContextManager
  /** What the application sees of them. */
  readonly shown: ContextManager
  readonly propagator: TextMapPropagator
  /** Called with each tracer provider of the application. */
  join(provider: TracerProvider): void
}

type Theirs = { -readonly [Name in keyof ApiGlobal]: ApiGlobal[Name] }

/** A copy sees nothing of what an older minor version has registered. */
const NEWER_THAN_ALL = '1.999.0'

/**
 * Registers ours with all copies of the API of this process, whatever their versions, beside what the application has
 * registered or will register.
 *
 * @returns leaves only what is the application's
 */
export function shareApi({ provider, contexts, shown, propagator, join }: OurApi): () => void {
  const theirs: Theirs = { ...apiGlobal() }
  const proxy = new ProxyTracerProvider()
  proxy.setDelegate(provider)
  let isRegistering = false
  const view: ApiGlobal = { ...theirs }
  // All that the application registers has to be of one version: that of the copy that registers first.
  const version = () => {
    if (!isRegistering) return NEWER_THAN_ALL
    theirs.version ??= versionOfCaller(version)
    return theirs.version
  }
  Object.defineProperty(view, 'version', { get: version, enumerable: true, configurable: true })
  const places = {
    trace: { seen: () => theirs.trace ?? proxy, taken: () => awaitDelegate(theirs.trace, join) },
    context: { seen: () => shown, taken: () => contexts.use(theirs.context) },
    propagation: { seen: () => theirs.propagation ?? propagator, taken: () => {} },
  }
  /** What `disable()` of a copy has removed is free again. */
  const place = (isFirst: boolean) => {
    for (const [name, { seen, taken }] of Object.entries(places) as [keyof typeof places, Place][]) {
      if (!isFirst && Object.hasOwn(view, name)) continue
      if (!isFirst) delete theirs[name]
      const set = (given: never) => {
        theirs[name] = given
        attempt('join what the application has registered', taken)
      }
      const get = () => (isRegistering ? theirs[name] : seen())
      Object.defineProperty(view, name, { get, set, enumerable: true, configurable: true })
    }
  }
  place(true)
  if (theirs.trace)
    attempt('join an earlier provider', () => join((theirs.trace?.getDelegate?.() ?? theirs.trace) as TracerProvider))
  if (theirs.context) contexts.use(theirs.context)
  const globals = globalThis as unknown as Record<symbol, ApiGlobal | undefined>
  // Where somebody waits for the first use, or the global object is frozen, this is all that can be done.
  globals[API_SLOT] = view
  const define = (descriptor: PropertyDescriptor) =>
    Reflect.defineProperty(globalThis, API_SLOT, { enumerable: true, configurable: true, ...descriptor })
  define({
    get() {
      isRegistering = false
      return view
    },
    set(given: unknown) {
      if (given !== view) define({ value: given, writable: true })
      else {
        isRegistering = true
        place(false)
      }
    },
  })
  return () => {
    if (apiGlobal() !== view) return
    contexts.disable()
    const { trace, context, propagation, version: _, ...rest } = view
    const left = { ...theirs, ...rest }
    const isEmpty = Object.entries(left).every(([name, value]) => name === 'version' || value === undefined)
    if (!define({ value: isEmpty ? undefined : left, writable: true })) globals[API_SLOT] = left
  }
}

interface Place {
  /** What copies see that do not register. */
  readonly seen: () => unknown
  /** Called when the application has registered its own. */
  readonly taken: () => void
}

/** A copy registers a proxy, and gives it the provider of the application afterwards. */
function awaitDelegate(registered: ApiGlobal['trace'], join: (provider: TracerProvider) => void): void {
  const proxy = registered as ProxyTracerProvider
  const { setDelegate } = proxy
  if (!setDelegate) {
    join(proxy)
    return
  }
  const value = (provider: TracerProvider) => {
    Reflect.deleteProperty(proxy, 'setDelegate')
    Reflect.apply(setDelegate, proxy, [provider])
    const { setDelegate: later, getDelegateTracer } = provider as Partial<ProxyTracerProvider>
    // Another proxy, whose provider is not known yet.
    if (later && getDelegateTracer?.call(provider, '') === undefined) awaitDelegate(provider, join)
    else attempt('join a tracer provider', join, provider)
  }
  Object.defineProperty(proxy, 'setDelegate', { value, configurable: true })
}
