import { Inject, Injectable, Optional } from '@nestjs/common'
import { context } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { log, warnOnce } from '@svc/core/log'
import { getRuntime } from '@svc/core/registry'
import {
  getActiveTraceId,
  type ObservationKind,
  type ObservationOf,
  type ObserveOptions,
  observe,
  type PropagateAttributesParams,
  propagateAttributes,
  type StartActiveObservationOptions,
  type SvcSpanAttributes,
  setActiveTraceAsPublic,
  startActiveObservation,
  updateActiveObservation,
} from '@svc/tracing'
import { markPublic, propagatedValues } from '@svc/tracing/adapters'
import { type WithNumbers, withTextIds } from './scope/ids.ts'
import { isUnobserved, requestIdentityIn } from './scope/request-identity.ts'
import { scopeIn } from './scope/scope.ts'
import { SVC_SETTINGS, type SvcSettings } from './settings.ts'
import { TraceLinks } from './trace-links.ts'

/** Values that all spans of a request or job share. */
export type SvcIdentity = WithNumbers<Omit<PropagateAttributesParams, 'asBaggage' | '_internalExperiment'>>

/** The values of a whole trace. */
export interface SvcTraceUpdate extends Omit<SvcIdentity, 'traceName'>, Pick<SvcSpanAttributes, 'input' | 'output'> {
  /** Name of the trace: at most 200 characters. */
  readonly name?: string | undefined
  /** Lets everyone with the link see the trace. It cannot be made private again. */
  readonly public?: true | undefined
}

/** Describes the request, message or job that application code runs for. Injectable everywhere; nothing throws. */
@Injectable()
export class SvcService {
  readonly #links: TraceLinks
  readonly #active: boolean

  constructor(@Optional() @Inject(SVC_SETTINGS) settings?: Pick<SvcSettings, 'access' | 'active'>) {
    this.#active = settings?.active ?? true
    this.#links = new TraceLinks(settings?.access ?? {})
  }

  /**
   * Says whom the request, message or job is for, from now on and for the spans that are open: in a guard, or wherever
   * it becomes known. Wins over the resolvers of the module.
   */
  identify(identity: SvcIdentity): void {
    if (!this.#active) return
    const active = context.active()
    const request = requestIdentityIn(active)
    if (!request) {
      if (isUnobserved(active)) return
      warnOnce(
        'SvcService.identify does nothing, because no request is active: use SvcService.propagate, or @SvcObserve({ root: true }).',
      )
      return
    }
    // A getter may throw.
    const values = attempt('read an identity', () =>
      propagatedValues(withTextIds(identity), (what, reason) =>
        log.once('warn', `SvcService: ${what} is dropped: ${reason}`, `SvcService: ${what.split('.')[0]}`),
      ),
    )
    if (values) request.identify(values)
  }

  /** Gives values to every span that starts while `fn` runs, as `propagateAttributes` of `@svc/tracing`. */
  propagate<R>(values: PropagateAttributesParams, fn: () => R): R {
    return propagateAttributes(values, fn)
  }

  /** Makes every call of `fn` an observation, as `observe` of `@svc/tracing`. */
  // biome-ignore lint/suspicious/noExplicitAny: with `never` an argument that has no type of its own could not be given.
  observe<F extends (...args: any[]) => unknown, K extends ObservationKind = 'span'>(
    fn: F,
    options?: ObserveOptions<K>,
  ): F {
    return observe(fn, options)
  }

  /** Runs `fn` inside an observation, as `startActiveObservation` of `@svc/tracing`. */
  startActiveObservation<R, K extends ObservationKind = 'span'>(
    name: string,
    fn: (observation: ObservationOf<K>) => R,
    options?: StartActiveObservationOptions<K>,
  ): R {
    return startActiveObservation(name, fn, options)
  }

  /** Says something about the whole trace: input and output are those of its root. */
  updateTrace(update: SvcTraceUpdate): void {
    if (this.#active) attempt('update a trace', () => this.#update(update ?? {}))
  }

  #update({ name, input, output, public: isPublic, ...identity }: SvcTraceUpdate): void {
    const values = { ...identity, traceName: name }
    if (Object.values(values).some((value) => value !== undefined)) this.identify(values)
    if (input !== undefined || output !== undefined) this.#updateRoot({ input, output })
    // It cannot be undone, and a text may say "false".
    if (isPublic === true) this.setTraceAsPublic()
  }

  /** Lets everyone with the link see the trace. It cannot be made private again. */
  setTraceAsPublic(): void {
    if (!this.#active) return
    const root = scopeIn(context.active())?.span
    if (root) markPublic(root)
    else setActiveTraceAsPublic()
  }

  /**
   * Returns the URL of a trace. The id of its project is requested from the service once, by `@svc/client`, which
   * has to be installed. Never rejects.
   *
   * @param traceId default: the active trace
   * @returns undefined when no trace is active, or the service cannot be reached
   */
  async traceUrl(traceId: string | undefined = getActiveTraceId()): Promise<string | undefined> {
    return traceId === undefined ? undefined : this.#links.to(traceId)
  }

  /** Delivers what has ended so far, and requests that were just answered. Never rejects. */
  async flush(): Promise<void> {
    // A request ends a moment after what waits for its response goes on, as an adapter of a function does.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    await getRuntime()?.forceFlush()
  }

  #updateRoot(attributes: SvcSpanAttributes): void {
    const scope = scopeIn(context.active())
    if (scope?.span) scope.update(attributes)
    else updateActiveObservation(attributes)
  }
}
