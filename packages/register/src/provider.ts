import { type Context, type Tracer, type TracerOptions, type TracerProvider, trace } from '@opentelemetry/api'
import type { InstrumentationScope } from '@opentelemetry/core'
import { NEXT_SCOPE } from '@svc/core/attributes'
import { isMuted } from '@svc/core/muted-span'
import type { IsDuplicate } from './duplicates.ts'
import type { HostProvider } from './host-provider.ts'
import { ShieldingTracer, type SpanStarter } from './span-starter.ts'
import type { TraceIds } from './trace-ids.ts'
import { DeduplicatingTracer, JoiningTracer, MutingTracer, type Theirs } from './tracers.ts'

/** The provider that records: the SDK's, with `ids` as its id generator. */
interface RecordingProvider extends TracerProvider {
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

interface KnownTracer {
  readonly version: string | undefined
  readonly schemaUrl: string | undefined
  readonly isOwn: boolean
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
  /** The application's own provider. Default: it registers none. */
  readonly host?: HostProvider | undefined
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

  /** A tracer of the application: passes on to that of its own provider, as soon as there is one. */
  getTracer(name: string, version?: string, options?: TracerOptions): Tracer {
    return this.#tracer(false, name, version, options)
  }

  /** A tracer of our instrumentations, whose spans are not the application's. */
  getOwnTracer(name: string, version?: string, options?: TracerOptions): Tracer {
    return this.#tracer(true, name, version, options)
  }

  #tracer(isOwn: boolean, name: string, version?: string, options?: TracerOptions): Tracer {
    const schemaUrl = options?.schemaUrl
    const known = this.#tracers.get(name)
    const cached = known?.find(
      (each) => each.version === version && each.schemaUrl === schemaUrl && each.isOwn === isOwn,
    )
    if (cached) return cached.tracer
    const theirs = isOwn ? undefined : this.#options.host?.tracerOf(name, version, options)
    const tracer = this.#options.isMuted(name) ? this.#mutingOf(theirs) : this.#joining(theirs, name, version, options)
    this.#tracers.set(name, [...(known ?? []), { version, schemaUrl, isOwn, tracer }])
    return tracer
  }

  #mutingOf(theirs: Theirs | undefined): MutingTracer {
    return theirs ? new MutingTracer(this.#options.ids, theirs) : this.#muting
  }

  #joining(theirs: Theirs | undefined, name: string, version?: string, options?: TracerOptions): Tracer {
    const { recording, ids, resource, duplicateTestOf, leanOf, host } = this.#options
    const lean = leanOf?.(scopeOf(name, version, options))
    const starter = lean ?? new ShieldingTracer(recording.getTracer(name, version, options))
    const isDuplicate = duplicateTestOf?.(name)
    const tracer = new JoiningTracer(starter, ids, name, resource, host, isDuplicate ? undefined : theirs)
    return isDuplicate ? new DeduplicatingTracer(tracer, this.#muting, isDuplicate, theirs) : tracer
  }

  /** Whether a span of Next that starts in this context would be the one in it, since both are muted. */
  mutesNextIn(context: Context): boolean {
    this.#mutesNext ??= this.#options.isMuted(NEXT_SCOPE)
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
