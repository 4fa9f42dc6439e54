// What a request of a Nest application costs: without us, with the route excluded, with us, and with peers that run on
// the same Nest; and what memory is left of 100,000 requests.
import { fileURLToPath } from 'node:url'
import { alternate, child, cores, preload, report, round, sink } from './measure.mjs'

const rounds = Number(process.argv[2] ?? 11)
const requests = 10_000
const many = Number(process.argv[3] ?? 100_000)
const program = fileURLToPath(new URL('./parts/nest-app.mjs', import.meta.url))
const at = (specifier) => import.meta.resolve(specifier)

const intake = await sink()
const svc = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: intake.url, SVC_LOG_LEVEL: 'NONE' }
const otel = {
  OTEL_EXPORTER_OTLP_ENDPOINT: intake.url,
  // As we do.
  OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  OTEL_NODE_ENABLED_INSTRUMENTATIONS: 'http,express',
  OTEL_NODE_RESOURCE_DETECTORS: 'env,process',
  OTEL_METRICS_EXPORTER: 'none',
  OTEL_LOGS_EXPORTER: 'none',
}
const registered = ['--import', preload]
const VARIANTS = {
  'without us': [[program, 'bare'], {}],
  'the route excluded': [[...registered, program, 'svc-excluded'], svc],
  'with us': [[...registered, program, 'svc'], svc],
  'nestjs-otel, @Span': [['--import', at('./parts/otel-provider.mjs'), program, 'nestjs-otel'], otel],
  'auto-instrumentations, http and express': [
    ['--import', at('@opentelemetry/auto-instrumentations-node/register'), program, 'bare'],
    otel,
  ],
}

const figures = await alternate(
  Object.fromEntries(
    Object.entries(VARIANTS).map(([name, [args, env]]) => [name, () => child([...args, requests], env, 0)]),
  ),
  rounds,
)
const bare = figures['without us'].microseconds
const peer = figures['auto-instrumentations, http and express'].microseconds
report(
  'A request of Nest 12 on Express',
  `CPU of the process per request, ${requests} of a handler that returns a text over 16 connections, spans exported to
loopback, medians of ${rounds} alternated rounds, ${cores}. Does not show: requests that do anything;
latency.`,
  Object.fromEntries(
    Object.entries(figures).map(([name, { microseconds }]) => [
      name,
      {
        'CPU µs': round(microseconds),
        '× without us': round(microseconds / bare, 2),
        'over without us, × http and express': round((microseconds - bare) / (peer - bare), 2),
      },
    ]),
  ),
)

const remembered = {}
for (const name of ['without us', 'with us']) {
  const [args, env] = VARIANTS[name]
  const { heapBefore, heapAfter, rssBefore, rssAfter } = await child([...args, requests, many], env, 0)
  remembered[name] = {
    'heap before MiB': round(heapBefore),
    'heap after MiB': round(heapAfter),
    'heap after × before': round(heapAfter / heapBefore, 2),
    'RSS after × before': round(rssAfter / rssBefore, 2),
  }
}
intake.close()
report(
  `Memory after ${(requests + many).toLocaleString('en')} requests`,
  'One run each; the heap after a full collection, before: after 3,000 requests.',
  remembered,
)
