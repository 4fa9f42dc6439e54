/** Where the edited code finds {@link TelemetryDefaults}. */
export const SLOT = 'svc.ai-telemetry.6'

/** What the edited code asks. */
export interface TelemetryDefaults {
  /** Whether calls are recorded that say nothing of telemetry. */
  readonly enabled: boolean
  /** What is recorded of a call: the settings it came with, and the attributes it would have. */
  settled(given: TelemetryGiven): TelemetryGiven
}

export interface TelemetryGiven {
  readonly telemetry: unknown
  readonly attributes: unknown
}

const OURS = `globalThis[Symbol.for(${JSON.stringify(SLOT)})]`
const TRACER = /(function getTracer\(\{\s*isEnabled = )false\b/
const ATTRIBUTES = /function selectTelemetryAttributes\(\{\s*telemetry,\s*attributes\s*\}\) \{/

/**
 * The AI SDK 5 and 6 with the default of their telemetry changed. It is off unless each call switches it on, in the two
 * functions that all calls go through; nothing else of theirs says so, and nothing of it can be reached from outside.
 * No line moves. Source that reads otherwise stays as it is.
 */
export function withTelemetryOn(source: string): string {
  if (!TRACER.test(source) || !ATTRIBUTES.test(source)) return source
  return source
    .replace(TRACER, `$1(${OURS}?.enabled ?? false)`)
    .replace(
      ATTRIBUTES,
      (head) => `${head} ({ telemetry, attributes } = ${OURS}?.settled({ telemetry, attributes }) ?? arguments[0]);`,
    )
}
