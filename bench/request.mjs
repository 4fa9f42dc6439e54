// What a request costs that asks a model once: Express and `openai`, without us, with us, with the least that can record
// the same, and with two others that record content, but no root. In a young process, and when V8 has settled.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { alternate, cores, onCore, preload, report, round, sink } from './measure.mjs'

const rounds = Number(process.argv[2] ?? 11)
const majors = process.argv[3] ? [process.argv[3]] : ['6', '7']
/** Requests before a phase begins, and in it. */
const PHASES = { young: [100, 500], steady: [2_400, 3_000] }

const part = (name) => fileURLToPath(new URL(`./parts/${name}.mjs`, import.meta.url))
const intake = await sink()
const model = await modelServer()
const svc = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: intake.url, SVC_LOG_LEVEL: 'NONE' }
const otel = { OTEL_EXPORTER_OTLP_ENDPOINT: intake.url, OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' }
const peer = (BENCH_PEER) => [['--import', part('openai-peer')], { ...otel, BENCH_PEER }]
const VARIANTS = {
  'without us': [[], {}],
  'with us': [['--import', preload], svc],
  // As the two others below: they record the call and no root of the request.
  'with us, without the root': [['--import', preload], { ...svc, SVC_HTTP_ROOT: 'false' }],
  'the floor': [['--import', part('floor')], svc],
  traceloop: peer('@traceloop/instrumentation-openai'),
  openinference: peer('@arizeai/openinference-instrumentation-openai'),
}

for (const major of majors) {
  const runs = Object.entries(VARIANTS).map(([name, [flags, env]]) => [name, () => cost(flags, env, major)])
  const figures = await alternate(Object.fromEntries(runs), rounds)
  const bare = figures['without us']
  const columns = (figure, phase) => ({
    [`${phase}: CPU µs`]: round(figure[phase]),
    [`${phase}: × without us`]: round(figure[phase] / bare[phase], 3),
  })
  report(
    `A request of Express with one call of openai ${major}`,
    `CPU of the process per request, its threads and the export to loopback included; 4 KB are asked, 2 KB are answered,
16 connections; medians of ${rounds} alternated rounds, ${cores}.
young: requests 101 to 600 of a process; steady: after 3,000. Does not show: latency, streams.`,
    Object.fromEntries(
      Object.entries(figures).map(([name, figure]) => [
        name,
        { ...columns(figure, 'young'), ...columns(figure, 'steady'), 'KB sent a request': round(figure.sent, 2) },
      ]),
    ),
  )
}
// The servers end with this process.
process.exit()

/** CPU µs of the app for one request of each phase, and the kilobytes of spans that it sent for one. */
async function cost(flags, env, major) {
  const { PATH, HOME } = process.env
  const [command, args] = onCore(0, [...flags, part('request-app'), major, model])
  const app = spawn(command, args, { env: { PATH, HOME, ...env }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const before = intake.bytes()
  let requests = 0
  try {
    const [{ port }] = await once(app, 'message')
    const load = async (count) => {
      requests += count
      const [command, args] = onCore(1, [part('load'), `http://127.0.0.1:${port}/chat/1`, String(count)])
      const [code] = await once(spawn(command, args, { stdio: 'inherit' }), 'exit')
      if (code !== 0) throw new Error(`the requests failed: ${code}`)
    }
    const cpu = async () => {
      app.send('cpu')
      return (await once(app, 'message'))[0].cpu
    }
    const figure = {}
    for (const [phase, [first, count]] of Object.entries(PHASES)) {
      await load(first)
      const start = await cpu()
      await load(count)
      figure[phase] = ((await cpu()) - start) / count
    }
    return { ...figure, sent: (intake.bytes() - before) / requests / 1_000 }
  } finally {
    app.kill('SIGKILL')
    await once(app, 'exit')
  }
}

/** Answers every request as the Chat Completions API does, from a process of its own. */
async function modelServer() {
  const [command, args] = onCore(1, [part('model')])
  const server = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  process.once('exit', () => server.kill())
  return (await once(server, 'message'))[0].url
}
