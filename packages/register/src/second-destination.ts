import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { Instrumentation } from '@opentelemetry/instrumentation'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'
import type { Environment } from '@svc/core/environment'
import { isOfOpenTelemetry1 } from '@svc/core/second-destination'
import { CATALOGUE, findPackage, SDK_NODE, versionOf } from './optional-packages.ts'

/**
 * Returns whether the packages for a second destination are installed. Missing ones, and those of OpenTelemetry 1, are
 * reported with the command that installs them.
 */
export function canServeSecond(sends: boolean, report: (line: string) => void, find = findPackage): boolean {
  const without = sends ? 'spans go to svc alone' : 'nothing is traced'
  const main = find(SDK_NODE)
  const version = main && versionOf(SDK_NODE, main)
  if (version && isOfOpenTelemetry1(version)) {
    const needed = `npm i ${SDK_NODE}@latest ${CATALOGUE}@latest`
    report(
      `a second destination needs OpenTelemetry 2 or 3, but @opentelemetry/sdk-node is ${version}, so ${without}: ${needed}`,
    )
    return false
  }
  const missing = [SDK_NODE, CATALOGUE].filter((name) => find(name) === undefined)
  if (missing.length > 0) {
    const what = main ? "it gets no spans of OpenTelemetry's instrumentations" : without
    report(`a second destination needs packages that are not installed, so ${what}: npm i ${missing.join(' ')}`)
  }
  return main !== undefined
}

export type MetricsExporter = 'otlp' | 'prometheus' | 'console'

/** Returns whether the package for metrics is installed; reports it if not. */
export function canServeMetrics(report: (line: string) => void, find = findPackage): boolean {
  const main = find(SDK_NODE)
  const version = main && versionOf(SDK_NODE, main)
  if (main && !(version && isOfOpenTelemetry1(version))) return true
  report(
    `OTEL_METRICS_EXPORTER needs a package that is not installed, so metrics go to the application's meter provider alone: npm i ${SDK_NODE}@latest`,
  )
  return false
}

/** The span processors that `OTEL_TRACES_EXPORTER`, `OTEL_EXPORTER_OTLP_*` and `OTEL_BSP_*` describe. */
export function standardSpanProcessors(): SpanProcessor[] {
  return utilsOf(sdkNode()).getSpanProcessorsFromEnv()
}

/** Internal functions of sdk-node: `second-destination.test.ts` checks that they exist. */
interface StandardUtils {
  getSpanProcessorsFromEnv(): SpanProcessor[]
  getOtlpMetricExporterFromEnv(): object
  getPeriodicExportingMetricReaderFromEnv(exporter: object): object
}

export function utilsOf(main: string): StandardUtils {
  return createRequire(main)(join(dirname(main), `utils${extname(main)}`))
}

/**
 * Starts the rest of OpenTelemetry's own configuration: diagnostics, instrumentations, and metrics and logs if their
 * exporters are configured. Traces, contexts and propagation are registered by svc: sdk-node may have another copy of
 * the API, which cannot register beside ours.
 */
export function startStandard(instrumentations: Instrumentation[], env: Environment): { shutdown(): Promise<void> } {
  const main = sdkNode()
  const { NodeSDK } = createRequire(main)(main) as typeof import('@opentelemetry/sdk-node')
  const sdk = new NodeSDK({
    instrumentations,
    spanProcessors: [],
    textMapPropagator: null,
    // null disables it, as for the propagator, although the type does not allow it.
    contextManager: null as never,
    ...(env('OTEL_METRICS_EXPORTER') ? {} : { metricReaders: [] }),
    ...(env('OTEL_LOGS_EXPORTER') ? {} : { logRecordProcessors: [] }),
  })
  sdk.start()
  return sdk
}

export function sdkNode(): string {
  const main = findPackage(SDK_NODE)
  if (main === undefined) throw new Error(`${SDK_NODE} is not installed`)
  return main
}
