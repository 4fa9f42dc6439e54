/** Settings that determine whether spans are also exported elsewhere. */
export interface Destination {
  readonly tracesExporter: readonly string[]
  readonly otlpEndpoint: string | undefined
  readonly baseUrl: string | undefined
}

/**
 * Whether OpenTelemetry's own variables configure a second destination. An OTLP endpoint that is the service itself
 * (left over from a generic exporter) does not count: every span would arrive twice.
 */
export function hasSecondDestination(
  { tracesExporter, otlpEndpoint, baseUrl }: Destination,
  report: (line: string) => void,
): boolean {
  if (tracesExporter.includes('none')) return false
  if (tracesExporter.some((name) => name !== 'otlp')) return true
  if (otlpEndpoint !== undefined && baseUrl !== undefined && otlpEndpoint.startsWith(`${baseUrl}/api/public/otel`)) {
    report(
      'OTEL_EXPORTER_OTLP_ENDPOINT points at svc itself and is ignored: @svc/register sends there already. Unset it.',
    )
    return false
  }
  return tracesExporter.length > 0 || otlpEndpoint !== undefined
}

/** The oldest minor version of `@opentelemetry/sdk-node` 0.x whose exporters read the spans of today's SDK. */
const OLDEST_MINOR = 200

/** Whether a version of `@opentelemetry/sdk-node` is of OpenTelemetry 1, whose exporters lose parents and scopes. */
export function isOfOpenTelemetry1(version: string): boolean {
  const [major, minor] = version.split('.')
  return major === '0' && Number(minor) < OLDEST_MINOR
}
