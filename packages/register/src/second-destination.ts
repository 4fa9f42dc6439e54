import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { Instrumentation } from '@opentelemetry/instrumentation'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'
import type { Environment } from '@svc/core/environment'
import { CATALOGUE, findPackage, SDK_NODE } from './optional-packages.ts'

/** Whether the packages for a second destination are there. What is missing is reported, with the command that installs it. */
export function canServeSecond(sends: boolean, report: (line: string) => void, find = findPackage): boolean {
  const missing = [SDK_NODE, CATALOGUE].filter((name) => find(name) === undefined)
  const isServed = !missing.includes(SDK_NODE)
  if (missing.length > 0) {
    const without = sends ? 'spans go to svc alone' : 'nothing is traced'
    const what = isServed ? "it gets no spans of OpenTelemetry's instrumentations" : without
    report(`a second destination needs packages that are not installed, so ${what}: npm i ${missing.join(' ')}`)
  }
  return isServed
}

/** The span processors that `OTEL_TRACES_EXPORTER`, `OTEL_EXPORTER_OTLP_*` and `OTEL_BSP_*` describe. */
export function standardSpanProcessors(): SpanProcessor[] {
  const main = sdkNode()
  // sdk-node keeps this function to itself: `second-destination.test.ts` watches it.
  const utils = createRequire(main)(join(dirname(main), `utils${extname(main)}`)) as {
    getSpanProcessorsFromEnv(): SpanProcessor[]
  }
  return utils.getSpanProcessorsFromEnv()
}

/**
 * Starts the rest of OpenTelemetry's own configuration: diagnostics, instrumentations, and metrics and logs where
 * their exporters are named. Traces, contexts and propagation stay with us: its copy of the API may be another one, which
 * may register nothing beside ours.
 */
export function startStandard(instrumentations: Instrumentation[], env: Environment): { shutdown(): Promise<void> } {
  const main = sdkNode()
  const { NodeSDK } = createRequire(main)(main) as typeof import('@opentelemetry/sdk-node')
  const sdk = new NodeSDK({
    instrumentations,
    spanProcessors: [],
    textMapPropagator: null,
    // Means none, as for the propagator; its type does not say so.
    contextManager: null as never,
    ...(env('OTEL_METRICS_EXPORTER') ? {} : { metricReaders: [] }),
    ...(env('OTEL_LOGS_EXPORTER') ? {} : { logRecordProcessors: [] }),
  })
  sdk.start()
  return sdk
}

function sdkNode(): string {
  const main = findPackage(SDK_NODE)
  if (main === undefined) throw new Error(`${SDK_NODE} is not installed`)
  return main
}
