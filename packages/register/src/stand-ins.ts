import {
  type Context,
  type ContextManager,
  ProxyTracer,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
  type Tracer,
  type TracerOptions,
  type TracerProvider,
} from '@opentelemetry/api'
import { SDK_SCOPE } from '@svc/core/attributes'
import { behind } from '@svc/core/shown'
import type { Engine } from './build-engine.ts'
import type { Lazy } from './lazy.ts'

/*
 * The provider and propagator that are registered with OpenTelemetry's API at startup, and stay registered: others read
 * them there, and modify them in place. The engine behind them is created when needed.
 */

/** What Next takes for a process without a provider. It starts no span then, and runs what the span would contain. */
const NO_PROVIDER = { name: 'NoopTracerProvider' }

/** Its tracers need the engine only for their first span: many modules get a tracer when they are loaded. */
export class LazyTracerProvider implements TracerProvider {
  readonly #engine: Lazy<Engine>
  #isAsked = false

  /** @param contexts knows the active context: asking the API for it takes six calls more */
  constructor(engine: Lazy<Engine>, contexts: Pick<ContextManager, 'active'>) {
    this.#engine = engine
    // Before each of its own spans, a dozen times in a request, Next 16.4 asks for the name of this class.
    const get = () => (engine.made?.provider.mutesNextIn(contexts.active()) ? NO_PROVIDER : LazyTracerProvider)
    Object.defineProperty(this, 'constructor', { get, configurable: true })
  }

  getTracer(name: string, version?: string, options?: TracerOptions): Tracer {
    this.#isAsked = true
    const made = this.#engine.made?.provider.getTracer(name, version, options)
    return made ?? new ProxyTracer(this, name, version, options)
  }

  /** Whether another provider has its tracers from this one. */
  isBehind(other: TracerProvider): boolean {
    this.#isAsked = false
    other.getTracer(SDK_SCOPE)
    return this.#isAsked
  }

  /** For its own tracers: the provider of the engine. */
  getDelegateTracer(name: string, version?: string, options?: TracerOptions): Tracer | undefined {
    return this.#engine()?.provider.getTracer(name, version, options)
  }

  async forceFlush(): Promise<void> {
    await this.#engine.made?.provider.forceFlush()
  }

  async shutdown(): Promise<void> {
    await this.#engine.made?.provider.shutdown()
  }
}

export class LazyPropagator implements TextMapPropagator {
  readonly #engine: Lazy<Engine>

  constructor(engine: Lazy<Engine>) {
    this.#engine = engine
  }

  inject(context: Context, carrier: unknown, setter: TextMapSetter): void {
    this.#engine()?.propagator.inject(behind(context), carrier, setter)
  }

  extract(context: Context, carrier: unknown, getter: TextMapGetter): Context {
    return this.#engine()?.propagator.extract(context, carrier, getter) ?? context
  }

  fields(): string[] {
    return this.#engine()?.propagator.fields() ?? []
  }
}
