/** The instrumentation scope of the spans of the AI SDK 7, as in the SDK's own telemetry. */
export const SCOPE = 'gen_ai'
