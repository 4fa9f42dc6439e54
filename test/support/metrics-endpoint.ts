import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One time series of a metric: a counter's sum, or a histogram's sum, count and boundaries. */
export interface Series {
  readonly name: string
  readonly unit: string
  readonly scope: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly sum: number
  readonly count: number
  readonly boundaries: readonly number[]
}

interface OtlpPoint {
  readonly attributes: readonly { key: string; value: Record<string, string | number> }[]
  readonly asDouble?: number
  readonly asInt?: number | string
  readonly sum?: number
  readonly count?: number | string
  readonly explicitBounds?: readonly number[]
}

interface OtlpMetric {
  readonly name: string
  readonly unit: string
  readonly sum?: { readonly dataPoints: readonly OtlpPoint[] }
  readonly histogram?: { readonly dataPoints: readonly OtlpPoint[] }
}

interface OtlpBody {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly { readonly scope: { readonly name: string }; readonly metrics: OtlpMetric[] }[]
  }[]
}

/** An endpoint for OTLP metrics in JSON, with the variables that point an app at it. */
export async function startMetricsEndpoint() {
  let last: readonly Series[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    if (request.url === '/v1/metrics') last = seriesIn(JSON.parse(body))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    env: {
      SVC_GENAI_METRICS: 'true',
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `http://127.0.0.1:${port}/v1/metrics`,
    },
    /** What was exported last: sums since the start of the process. */
    series: () => last,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

function seriesIn({ resourceMetrics }: OtlpBody): Series[] {
  return resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ scope, metrics }) =>
      metrics.flatMap(
        ({ name, unit, sum, histogram }) =>
          (sum ?? histogram)?.dataPoints.map((point) => ({ name, unit, scope: scope.name, ...read(point) })) ?? [],
      ),
    ),
  )
}

function read(point: OtlpPoint) {
  const attributes = point.attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? ''] as const)
  return {
    attributes: Object.fromEntries(attributes),
    sum: Number(point.sum ?? point.asDouble ?? point.asInt),
    count: Number(point.count ?? 0),
    boundaries: point.explicitBounds ?? [],
  }
}
