import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ContextManager, TextMapPropagator } from '@opentelemetry/api'
import type { Instrumentation } from '@opentelemetry/instrumentation'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'
import type { Environment } from '@svc/core/environment'

const require = createRequire(import.meta.url)

export interface Destination {
  readonly tracesExporter: readonly string[]
  readonly otlpEndpoint: string | undefined
  readonly baseUrl: string | undefined
}

/**
 * Whether the user asked for a second destination with OpenTelemetry's own variables. An OTLP endpoint that is the
 * service itself (left over from a generic exporter) is none: every span would arrive twice.
 */
export function hasSecondDestination(
  { tracesExporter, otlpEndpoint, baseUrl }: Destination,
  report: (line: string) => void,
): boolean {
  if (tracesExporter.includes('none')) return false
  if (tracesExporter.some((name) => name !== 'otlp')) return true
  if (otlpEndpoint !== undefined && baseUrl !== undefined && otlpEndpoint.startsWith(`${baseUrl}/api/public/otel`)) {
    report('OTEL_EXPORTER_OTLP_ENDPOINT is svc itself and is ignored: @svc/register sends there already. Unset it.')
    return false
  }
  return tracesExporter.length > 0 || otlpEndpoint !== undefined
}

/** The span processors that `OTEL_TRACES_EXPORTER`, `OTEL_EXPORTER_OTLP_*` and `OTEL_BSP_*` describe. */
export function standardSpanProcessors(): SpanProcessor[] {
  // sdk-node keeps this function to itself. Its version is pinned, and `second-destination.test.ts` watches it.
  const utils = require(join(dirname(require.resolve('@opentelemetry/sdk-node')), 'utils.cjs')) as {
    getSpanProcessorsFromEnv(): SpanProcessor[]
  }
  return utils.getSpanProcessorsFromEnv()
}

export interface StandardParts {
  readonly contextManager: ContextManager
  readonly textMapPropagator: TextMapPropagator
  readonly instrumentations: Instrumentation[]
}

/**
 * Starts the rest of OpenTelemetry's own configuration: diagnostics, instrumentations, and metrics and logs where
 * their exporters are named. Traces stay with our provider.
 */
export function startStandard(parts: StandardParts, env: Environment): { shutdown(): Promise<void> } {
  const { NodeSDK } = require('@opentelemetry/sdk-node') as typeof import('@opentelemetry/sdk-node')
  const sdk = new NodeSDK({
    ...parts,
    spanProcessors: [],
    ...(env('OTEL_METRICS_EXPORTER') ? {} : { metricReaders: [] }),
    ...(env('OTEL_LOGS_EXPORTER') ? {} : { logRecordProcessors: [] }),
  })
  sdk.start()
  return sdk
}
