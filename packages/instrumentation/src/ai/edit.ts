import type { Tracer } from '@opentelemetry/api'

/** Where the edited code finds {@link TelemetryDefaults}. */
export const SLOT = 'svc.ai-telemetry.6'

/** What the edited code asks. */
export interface TelemetryDefaults {
  /** Whether calls are recorded that say nothing of telemetry. */
  readonly enabled: boolean
  /** What is recorded of a call: the settings it came with, and the attributes it would have. */
  settled(given: TelemetryGiven): TelemetryGiven
  /** The tracer of calls that bring none of their own. */
  tracer(found: Tracer): Tracer
  /** A stream was aborted, whose outermost span this is; the SDK never ends it. */
  aborted(span: unknown): void
}

export interface TelemetryGiven {
  readonly telemetry: unknown
  readonly attributes: unknown
}

const OURS = `globalThis[Symbol.for(${JSON.stringify(SLOT)})]`
const TRACER = /(function getTracer\(\{\s*isEnabled = )false\b/
const TRACER_FOUND = /(function getTracer\([\s\S]{0,200}?return )((?:\w+\.)?trace\.getTracer\("ai"\))/
const ABORTED = /async pull\(controller\) \{\s*function abort\(\) \{/
const ATTRIBUTES = /function selectTelemetryAttributes\(\{\s*telemetry,\s*attributes\s*\}\) \{/

/**
 * The AI SDK 5 and 6 with the default of their telemetry changed. It is off unless each call switches it on, in the two
 * functions that all calls go through; nothing else of theirs says so, and nothing of it can be reached from outside.
 * It ends no span of a stream that was aborted, and tells nobody.
 * No line moves. Source that reads otherwise stays as it is.
 */
export function withTelemetryOn(source: string): string {
  if (!TRACER.test(source) || !ATTRIBUTES.test(source)) return source
  return source
    .replace(TRACER, `$1(${OURS}?.enabled ?? false)`)
    .replace(TRACER_FOUND, `$1(${OURS}?.tracer?.($2) ?? $2)`)
    .replace(ABORTED, (head) => `${head} if (typeof rootSpan === "object") ${OURS}?.aborted?.(rootSpan);`)
    .replace(
      ATTRIBUTES,
      (head) => `${head} ({ telemetry, attributes } = ${OURS}?.settled({ telemetry, attributes }) ?? arguments[0]);`,
    )
}
