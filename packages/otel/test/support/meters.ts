import { createRequire } from 'node:module'
import type { MeterProvider } from '@opentelemetry/api'
import { expect } from 'vitest'

/** What is read of a metric that the SDK collected. */
export interface Metric {
  readonly descriptor: { readonly name: string; readonly unit: string; readonly type: string }
  readonly dataPoints: readonly { readonly attributes: Readonly<Record<string, string>>; readonly value: number }[]
  readonly isMonotonic?: boolean
}

interface Reader {
  collect(): Promise<{
    readonly resourceMetrics: {
      readonly scopeMetrics: readonly {
        readonly scope: { readonly name: string; readonly version?: string }
        readonly metrics: readonly Metric[]
      }[]
    }
    readonly errors: readonly unknown[]
  }>
}

// This package does not depend on the metrics SDK; the one that OpenTelemetry's SDK for Node brings is used.
const sdkNode = createRequire(new URL('../../../register/package.json', import.meta.url)).resolve(
  '@opentelemetry/sdk-node',
)
const sdk = createRequire(sdkNode)('@opentelemetry/sdk-metrics') as {
  readonly MeterProvider: new (options: { readonly readers: readonly Reader[] }) => MeterProvider
  readonly MetricReader: new () => Reader
}

class PullReader extends sdk.MetricReader {
  protected async onForceFlush(): Promise<void> {}
  protected async onShutdown(): Promise<void> {}
}

/** A meter provider of OpenTelemetry, and what is collected from it now. */
export function meterProvider() {
  const reader = new PullReader()
  const provider = new sdk.MeterProvider({ readers: [reader] })
  async function collected() {
    const { resourceMetrics, errors } = await reader.collect()
    expect(errors).toEqual([])
    return resourceMetrics.scopeMetrics
  }
  /** Figures by metric, and by `error.type` where there is one. */
  async function figures(): Promise<Record<string, number>> {
    const points = (await collected())
      .flatMap((scope) => scope.metrics)
      .flatMap(({ descriptor: { name }, dataPoints }) => dataPoints.map((point) => ({ name, ...point })))
    return Object.fromEntries(
      points.map(({ name, attributes: { 'error.type': reason }, value }) => [
        reason ? `${name} ${reason}` : name,
        value,
      ]),
    )
  }
  return { provider, collected, figures }
}
