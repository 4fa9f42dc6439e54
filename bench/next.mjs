// What tracing costs a Next server: CPU for each request, and bytes of the bundles. One app three times: with nothing
// added, with OpenTelemetry as Next's own page sets it up by hand, and with @svc/next.
import { alternate, cores, report, round, sink, stayOnCore } from './measure.mjs'
import { bytesOf } from './next/bundles.mjs'
import { cost } from './next/load.mjs'
import { build, start } from './next/server.mjs'

const rounds = Number(process.argv[2] ?? 11)
const VARIANTS = ['bare', 'otel', 'svc']
/** Each route with the requests of a round. */
const REQUESTS = { plain: 1_500, trivial: 1_500, stream: 500 }
const ROUTES = Object.keys(REQUESTS)

const intake = await sink()
const variables = {
  bare: {},
  otel: {
    OTEL_EXPORTER_OTLP_ENDPOINT: intake.url,
    // As much room as @svc/next has: what is dropped costs nothing.
    OTEL_BSP_MAX_QUEUE_SIZE: '100000',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
  },
  // Without OTEL_EXPORTER_OTLP_ENDPOINT: it would be a second destination.
  svc: { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: intake.url },
}
for (const variant of VARIANTS) await build(variant, variables[variant])

// The load comes from this process.
stayOnCore(1)
const figures = await alternate(Object.fromEntries(VARIANTS.map((variant) => [variant, () => costs(variant)])), rounds)
const ratio = (variant, route) => round(figures[variant][route] / figures.bare[route], 2)
report(
  'A request to Next',
  `CPU µs of the whole server for a request, export included, 8 at once, medians of ${rounds} alternated rounds, each with
servers of its own, ${cores}; each route is asked for twice as often before, so that V8
has settled. plain: a route about which nothing is said; trivial: under withSvc; stream: under withSvc, 100 chunks.
OpenTelemetry: NodeSDK in instrumentation.js, spans in batches. Does not show: latency, pages, proxy.ts, serverless.`,
  Object.fromEntries(
    ROUTES.map((route) => [
      route,
      {
        'bare µs': round(figures.bare[route]),
        'OpenTelemetry × bare': ratio('otel', route),
        '@svc/next × bare': ratio('svc', route),
        '@svc/next over bare µs': round(figures.svc[route] - figures.bare[route]),
      },
    ]),
  ),
)

const sizes = Object.fromEntries(VARIANTS.map((variant) => [variant, bytesOf(variant)]))
const kilobytes = (bytes) => round(bytes / 1024)
report(
  'The bundles of a Next app',
  `KiB, minified by Turbopack. client: all scripts of the app, with useSvcFeedback on its page; edge: one route under
withSvc on the edge runtime, and instrumentation.js. OpenTelemetry has no part for either here.`,
  Object.fromEntries(
    ['client', 'edge'].map((face) => {
      const [bare, svc] = [sizes.bare[face], sizes.svc[face]]
      return [
        face,
        {
          'bare KiB': kilobytes(bare.minified),
          '@svc/next adds': kilobytes(svc.minified - bare.minified),
          'gzip bare KiB': kilobytes(bare.gzip),
          '@svc/next adds, gzip': kilobytes(svc.gzip - bare.gzip),
        },
      ]
    }),
  ),
)
intake.close()

async function costs(variant) {
  const { url, close } = await start(variant, variables[variant])
  const microseconds = {}
  for (const route of ROUTES) microseconds[route] = await cost(url, route, REQUESTS[route])
  await close()
  return microseconds
}
