// What `svc replay` takes for a run of 200 model calls, beside the run that was recorded.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startModelServer } from '../examples/model-server/src/start.js'
import { startLocal } from '../packages/local/dist/index.js'
import { median, report, round } from './measure.mjs'

const runs = Number(process.argv[2] ?? 7)
const CALLS = 200
const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url))
const SVC = pathOf('../packages/cli/bin/svc.js')
const AGENT = [process.execPath, pathOf('../test/cli/support/replayed-agent.mjs'), String(CALLS - 2)]

const [local, models] = await Promise.all([startLocal(), startModelServer()])
const env = { ...process.env, ...local.env, OPENAI_BASE_URL: `${models.url}/v1`, OPENAI_API_KEY: 'sk-test' }

/** Milliseconds of a command that has to succeed. */
async function timed(...args) {
  const started = performance.now()
  const child = spawn(process.execPath, [SVC, ...args, '--', ...AGENT], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`svc ${args[0]} ended with ${code}`)
  return performance.now() - started
}

const times = { recorded: [], replayed: [] }
for (let run = 0; run < runs; run += 1) {
  times.recorded.push(await timed('run'))
  const { traceId } = local.spans().at(-1)
  times.replayed.push(await timed('replay', traceId))
}
await Promise.all([local.close(), models.close()])

report(
  'Replay',
  `Seconds for ${CALLS} calls of openai one after the other, medians of ${runs} runs in turns: \`svc run\` against a model that
answers at once, and \`svc replay\` of that trace. With the starts of both commands and of Node. Does not show: models that
take their time, which a replay does not wait for.`,
  Object.fromEntries(Object.entries(times).map(([name, all]) => [name, { seconds: round(median(all) / 1_000, 2) }])),
)
