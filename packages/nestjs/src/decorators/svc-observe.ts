import 'reflect-metadata'
import { context, trace } from '@svc/core/api'
import type { ObservationKind } from '@svc/tracing'
import { observeBy } from '@svc/tracing/adapters'
import { RequestIdentity } from '../scope/request-identity.ts'

/** Options of {@link SvcObserve}. */
export interface ObserveMethodOptions<K extends ObservationKind = ObservationKind> {
  /** Name of the observation. Default: class and method, `Agent.run`. */
  readonly name?: string | undefined
  /** The type of the observation. Default `span`. */
  readonly asType?: K | undefined
  /** Record the arguments as input: one as it is, several as a list. Default false. */
  readonly captureInput?: boolean | undefined
  /** Record as output what is returned, or arrives piece by piece. Default false. */
  readonly captureOutput?: boolean | undefined
  /** Begin a trace of its own: for jobs, cron, events, connections. Default false. */
  readonly root?: boolean | undefined
}

/**
 * Makes every call of a method an observation, with whatever it returns: a value, a promise, an Observable, a
 * generator. The method keeps name, length and metadata, so other decorators may stand above and below.
 *
 * @throws {TypeError} when it is not over a method
 * @example
 * @SvcObserve({ asType: 'agent', captureInput: true })
 * run(question: string) {}
 */
export function SvcObserve<K extends ObservationKind = 'span'>(options: ObserveMethodOptions<K> = {}): MethodDecorator {
  return (target: object, key: string | symbol, descriptor: PropertyDescriptor) => {
    const method: unknown = descriptor?.value
    if (typeof method !== 'function') {
      throw new TypeError(`svc: @SvcObserve() on ${String(key)} needs a method: it decorates something else.`)
    }
    descriptor.value = observed(method as Method, `${classOf(target)}.${String(key)}`, options)
  }
}

type Method = (this: unknown, ...args: unknown[]) => unknown

function observed<K extends ObservationKind>(
  method: Method,
  name: string,
  { root = false, ...options }: ObserveMethodOptions<K>,
): Method {
  const inner = observeBy(method, { ...options, name: options.name ?? name }, false)
  const outer = root ? new Proxy(inner, { apply: onItsOwn }) : inner
  for (const key of Reflect.getOwnMetadataKeys(method)) {
    Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, method), outer)
  }
  return outer
}

/** In a trace of its own. What is known of the user stays known; `SvcService.identify` reaches all of it. */
function onItsOwn(method: Method, self: unknown, args: unknown[]): unknown {
  const active = context.active()
  const identity = new RequestIdentity(active)
  identity.resolveFinal()
  return context.with(identity.in(trace.deleteSpan(active)), () => Reflect.apply(method, self, args))
}

/** The class of a method: of an instance's it is the constructor of the prototype, of a static one the target. */
function classOf(target: object): string {
  return typeof target === 'function' ? target.name : target.constructor.name
}
