import { type Context, type Tracer, type TracerOptions, type TracerProvider, trace } from '@opentelemetry/api'
import type { InstrumentationScope } from '@opentelemetry/core'
import { NEXT_SCOPE } from '@svc/core/attributes'
import { isMuted } from '@svc/core/muted-span'
import type { IsDuplicate } from './duplicates.ts'
import type { TraceIds } from './trace-ids.ts'
import { DeduplicatingTracer, JoiningTracer, MutingTracer, ShieldingTracer, type SpanStarter } from './tracers.ts'

/** The provider that records: the SDK's, with `ids` as its id generator. */
interface RecordingProvider extends TracerProvider {
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

interface KnownTracer {
  readonly version: string | undefined
  readonly schemaUrl: string | undefined
  readonly tracer: Tracer
}

export interface PipelineProviderOptions {
  readonly recording: RecordingProvider
  readonly ids: TraceIds
  readonly isMuted: (scope: string) => boolean
  /** The resource of recorded spans. Default: spans of other providers are not recognized. */
  readonly resource?: object
  /** Returns the test for duplicates in a scope. Default: no spans are duplicates. */
  readonly duplicateTestOf?: (scope: string) => IsDuplicate | undefined
  /** Returns a span starter for a scope that replaces the SDK's. Default: none. */
  readonly leanOf?: (scope: InstrumentationScope) => SpanStarter | undefined
}

/**
 * The global tracer provider: returns muting tracers for muted scopes, and the SDK's own, joined to the request they run
 * in, for all others.
 */
export class PipelineProvider implements TracerProvider {
  readonly #options: PipelineProviderOptions
  readonly #muting: MutingTracer
  /** By name. Not by a text of all three: that would be joined for every span. */
  readonly #tracers = new Map<string, KnownTracer[]>()
  #mutesNext: boolean | undefined

  constructor(options: PipelineProviderOptions) {
    this.#options = options
    this.#muting = new MutingTracer(options.ids)
  }

  getTracer(name: string, version?: string, options?: TracerOptions): Tracer {
    const schemaUrl = options?.schemaUrl
    const known = this.#tracers.get(name)
    const cached = known?.find((each) => each.version === version && each.schemaUrl === schemaUrl)
    if (cached) return cached.tracer
    const tracer = this.#options.isMuted(name) ? this.#muting : this.#joining(name, version, options)
    this.#tracers.set(name, [...(known ?? []), { version, schemaUrl, tracer }])
    return tracer
  }

  #joining(name: string, version?: string, options?: TracerOptions): Tracer {
    const { recording, ids, resource, duplicateTestOf, leanOf } = this.#options
    const lean = leanOf?.(scopeOf(name, version, options))
    const starter = lean ?? new ShieldingTracer(recording.getTracer(name, version, options))
    const tracer = new JoiningTracer(starter, ids, name, resource)
    const isDuplicate = duplicateTestOf?.(name)
    return isDuplicate ? new DeduplicatingTracer(tracer, this.#muting, isDuplicate) : tracer
  }

  /** Whether a span of Next that starts in this context would be the one in it, since both are muted. */
  mutesNextIn(context: Context): boolean {
    this.#mutesNext ??= this.getTracer(NEXT_SCOPE) === this.#muting
    return this.#mutesNext && isMuted(trace.getSpan(context))
  }

  /** Clears the cached tracers, so that a change of muted scopes applies to the next `getTracer`. */
  reconsider(): void {
    this.#tracers.clear()
    this.#mutesNext = undefined
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
