// What it costs to record a request below the libraries, beside a call of `openai` by its patch, and what a request costs
// that asks no model.
// node wire.mjs [blocks]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inTurns, preload, report, round, sink } from './measure.mjs'

const blocks = Number(process.argv[2] ?? 150)
const NO_MODEL = 'fetch, not of a model'
const CLIENTS = ['openai 7', 'fetch', 'axios', NO_MODEL, `${NO_MODEL}, 100 at once`]
const ANSWERS = { '2 KB': '', '200 KB of gzip': '/long' }

const part = (name) => fileURLToPath(new URL(`./parts/${name}.mjs`, import.meta.url))
const intake = await sink()
const server = spawn(process.execPath, [part('model')], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
const { origin } = new URL((await once(server, 'message'))[0].url)
const env = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: intake.url, SVC_LOG_LEVEL: 'NONE' }

const rows = Object.fromEntries(CLIENTS.map((client) => [client, {}]))
for (const [answer, path] of Object.entries(ANSWERS)) {
  const variants = CLIENTS.flatMap((client) => {
    const args = [part('wire'), client, `${origin}${path}/v1`]
    return [
      [client, args],
      [`${client} with us`, ['--import', preload, ...args]],
    ]
  })
  const figures = await inTurns(Object.fromEntries(variants), blocks, env)
  for (const client of CLIENTS) {
    rows[client][`${answer}: CPU µs`] = round(figures[client])
    rows[client][`${answer}: added`] = round(figures[`${client} with us`] - figures[client])
  }
}
report(
  'A request with 4 KB, by what it is made',
  `CPU of the process for a request, the export to loopback included: lowest deciles of ${blocks} blocks of 40 requests in
turns, one after the other. openai is recorded by its patch, fetch and axios below. Does not show: streams, latency.`,
  rows,
)
// The server ends with this process.
process.exit()
