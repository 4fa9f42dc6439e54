import {
  type Context,
  ProxyTracer,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
  type Tracer,
  type TracerOptions,
  type TracerProvider,
} from '@opentelemetry/api'
import type { Engine } from './engine.ts'
import type { Late } from './late.ts'

/*
 * What is registered with OpenTelemetry's API at the start of a process, and stays: others take it from there, and change
 * it in place. The engine behind it is made when it is needed.
 */

/** Its tracers ask for the engine with their first span: many modules take a tracer as soon as they are loaded. */
export class LateTracerProvider implements TracerProvider {
  readonly #engine: Late<Engine>

  constructor(engine: Late<Engine>) {
    this.#engine = engine
  }

  getTracer(name: string, version?: string, options?: TracerOptions): Tracer {
    const made = this.#engine.made?.provider.getTracer(name, version, options)
    return made ?? new ProxyTracer(this, name, version, options)
  }

  /** For its own tracers: the one that does the work. */
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

export class LatePropagator implements TextMapPropagator {
  readonly #engine: Late<Engine>

  constructor(engine: Late<Engine>) {
    this.#engine = engine
  }

  inject(context: Context, carrier: unknown, setter: TextMapSetter): void {
    this.#engine()?.propagator.inject(context, carrier, setter)
  }

  extract(context: Context, carrier: unknown, getter: TextMapGetter): Context {
    return this.#engine()?.propagator.extract(context, carrier, getter) ?? context
  }

  fields(): string[] {
    return this.#engine()?.propagator.fields() ?? []
  }
}
