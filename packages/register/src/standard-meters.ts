import { createRequire } from 'node:module'
import type { MeterProvider } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import { hostEnvironment } from '@svc/core/environment'
import { warnOnce } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { prometheusSettings } from '@svc/core/settings'
import { type MetricsExporter, sdkNode, utilsOf } from './second-destination.ts'

/** A meter provider of OpenTelemetry's SDK. */
export interface StandardMeters extends MeterProvider {
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

/**
 * The meter provider that `OTEL_METRICS_EXPORTER`, `OTEL_EXPORTER_OTLP_*`, `OTEL_METRIC_EXPORT_*` and
 * `OTEL_EXPORTER_PROMETHEUS_*` describe. It is registered nowhere: the place is the application's.
 */
export function standardMeters(exporters: readonly MetricsExporter[], resource: Resource): StandardMeters {
  const main = sdkNode()
  const load = createRequire(main)
  const { MeterProvider, ConsoleMetricExporter } = load('@opentelemetry/sdk-metrics')
  const utils = utilsOf(main)
  const every = (exporter: object) => utils.getPeriodicExportingMetricReaderFromEnv(exporter)
  const readers: Readonly<Record<MetricsExporter, () => object>> = {
    otlp: () => every(utils.getOtlpMetricExporterFromEnv()),
    console: () => every(new ConsoleMetricExporter()),
    prometheus: () => {
      const { PrometheusExporter } = load('@opentelemetry/exporter-prometheus')
      return new PrometheusExporter(readSettings(prometheusSettings, {}, hostEnvironment, warnOnce))
    },
  }
  return new MeterProvider({ resource, readers: exporters.map((name) => readers[name]()) })
}
