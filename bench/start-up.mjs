// What a preload adds to the start of a process: bare Node, ours, and OpenTelemetry's own zero-code preload.
import { alternate, child, preload, report, round, sink } from './measure.mjs'

const rounds = Number(process.argv[2] ?? 15)
const say = `const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ cpu: (user + system) / 1000, memory: process.resourceUsage().maxRSS / 1024 }))`
const intake = await sink()
const svc = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: intake.url }
const otel = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }
const at = (specifier) => import.meta.resolve(specifier)

const figures = await alternate(
  {
    'bare node': () => child(['-e', say]),
    '@svc/register': () => child(['--import', preload, '-e', say], svc),
    'auto-instrumentations-node/register': () =>
      child(['--import', at('@opentelemetry/auto-instrumentations-node/register'), '-e', say], otel),
  },
  rounds,
)
intake.close()

const bare = figures['bare node']
report(
  'Start of a process',
  `node -e, medians of ${rounds} alternated rounds. Does not show: an application that loads packages.`,
  Object.fromEntries(
    Object.entries(figures).map(([name, { wall, cpu, memory }]) => [
      name,
      {
        'wall ms': round(wall),
        'CPU ms': round(cpu),
        'CPU over bare ms': round(cpu - bare.cpu),
        'wall × bare': round(wall / bare.wall, 2),
        'RSS over bare MiB': round(memory - bare.memory),
      },
    ]),
  ),
)
