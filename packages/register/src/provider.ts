import type { Tracer, TracerOptions, TracerProvider } from '@opentelemetry/api'
import { warnOnce } from '@svc/core/log'
import { reportSentry } from './other-provider.ts'
import type { TraceIds } from './trace-ids.ts'
import { JoiningTracer, MutingTracer, YieldingTracer } from './tracers.ts'
import type { Yields } from './yielding.ts'

/** The provider that records: the SDK's, with the id generator that `ids` is. */
interface RecordingProvider extends TracerProvider {
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

/**
 * The global tracer provider: hands out muting tracers for scopes nobody wants, and the SDK's own, joined to the
 * request they run in, for all others.
 */
export class PipelineProvider implements TracerProvider {
  readonly #recording: RecordingProvider
  readonly #ids: TraceIds
  readonly #isMuted: (scope: string) => boolean
  readonly #resource: object | undefined
  readonly #yieldingOf: (scope: string) => Yields | undefined
  readonly #muting: MutingTracer
  readonly #tracers = new Map<string, Tracer>()

  /**
   * @param resource what the recorded spans have. Default: spans of other providers are not told apart
   * @param yieldingOf which spans of a scope yield to others. Default: none
   */
  constructor(
    recording: RecordingProvider,
    ids: TraceIds,
    isMuted: (scope: string) => boolean,
    resource?: object,
    yieldingOf: (scope: string) => Yields | undefined = () => undefined,
  ) {
    this.#recording = recording
    this.#ids = ids
    this.#isMuted = isMuted
    this.#resource = resource
    this.#yieldingOf = yieldingOf
    this.#muting = new MutingTracer(ids)
  }

  getTracer(name: string, version?: string, options?: TracerOptions): Tracer {
    const key = `${name}@${version ?? ''}:${options?.schemaUrl ?? ''}`
    const known = this.#tracers.get(key)
    if (known) return known
    if (name.startsWith('@sentry/')) reportSentry(warnOnce)
    const tracer = this.#isMuted(name) ? this.#muting : this.#joining(name, version, options)
    this.#tracers.set(key, tracer)
    return tracer
  }

  #joining(name: string, version?: string, options?: TracerOptions): Tracer {
    const tracer = new JoiningTracer(this.#recording.getTracer(name, version, options), this.#ids, name, this.#resource)
    const yields = this.#yieldingOf(name)
    return yields ? new YieldingTracer(tracer, this.#muting, yields) : tracer
  }

  /** Another opinion about what is muted holds for whoever asks for a tracer from now on. */
  reconsider(): void {
    this.#tracers.clear()
  }

  forceFlush(): Promise<void> {
    return this.#recording.forceFlush()
  }

  shutdown(): Promise<void> {
    return this.#recording.shutdown()
  }
}
