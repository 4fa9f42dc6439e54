import type { Tracer, TracerOptions, TracerProvider } from '@opentelemetry/api'
import type { InstrumentationScope } from '@opentelemetry/core'
import type { TraceIds } from './trace-ids.ts'
import { JoiningTracer, MutingTracer, ShieldingTracer, type SpanStarter, YieldingTracer } from './tracers.ts'
import type { Yields } from './yielding.ts'

/** The provider that records: the SDK's, with the id generator that `ids` is. */
interface RecordingProvider extends TracerProvider {
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

export interface PipelineProviderOptions {
  readonly recording: RecordingProvider
  readonly ids: TraceIds
  readonly isMuted: (scope: string) => boolean
  /** What the recorded spans have. Default: spans of other providers are not told apart. */
  readonly resource?: object
  /** Which spans of a scope yield to others. Default: none. */
  readonly yieldingOf?: (scope: string) => Yields | undefined
  /** What starts the spans of a scope instead of the SDK. Default: nothing does. */
  readonly leanOf?: (scope: InstrumentationScope) => SpanStarter | undefined
}

/**
 * The global tracer provider: hands out muting tracers for scopes nobody wants, and the SDK's own, joined to the
 * request they run in, for all others.
 */
export class PipelineProvider implements TracerProvider {
  readonly #options: PipelineProviderOptions
  readonly #muting: MutingTracer
  readonly #tracers = new Map<string, Tracer>()

  constructor(options: PipelineProviderOptions) {
    this.#options = options
    this.#muting = new MutingTracer(options.ids)
  }

  getTracer(name: string, version?: string, options?: TracerOptions): Tracer {
    const key = `${name}@${version ?? ''}:${options?.schemaUrl ?? ''}`
    const known = this.#tracers.get(key)
    if (known) return known
    const tracer = this.#options.isMuted(name) ? this.#muting : this.#joining(name, version, options)
    this.#tracers.set(key, tracer)
    return tracer
  }

  #joining(name: string, version?: string, options?: TracerOptions): Tracer {
    const { recording, ids, resource, yieldingOf, leanOf } = this.#options
    const lean = leanOf?.(scopeOf(name, version, options))
    const starter = lean ?? new ShieldingTracer(recording.getTracer(name, version, options))
    const tracer = new JoiningTracer(starter, ids, name, resource)
    const yields = yieldingOf?.(name)
    return yields ? new YieldingTracer(tracer, this.#muting, yields) : tracer
  }

  /** Another opinion about what is muted holds for whoever asks for a tracer from now on. */
  reconsider(): void {
    this.#tracers.clear()
  }

  forceFlush(): Promise<void> {
    return this.#options.recording.forceFlush()
  }

  shutdown(): Promise<void> {
    return this.#options.recording.shutdown()
  }
}

function scopeOf(name: string, version: string | undefined, options: TracerOptions | undefined): InstrumentationScope {
  const schemaUrl = options?.schemaUrl
  return { name, ...(version === undefined ? {} : { version }), ...(schemaUrl === undefined ? {} : { schemaUrl }) }
}
