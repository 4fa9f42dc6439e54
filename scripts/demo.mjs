// `npm start`: an unmodified app calls a model, and the traces of its requests appear in the service, all of it on this
// machine. `--once` ends by itself; `--json` prints each trace as one line of JSON, and then nothing else on stdout.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build, root } from './build.mjs'
import { startApp } from './demo-app.mjs'

// What is sent to the app, and what its trace has when it is complete.
const REQUESTS = [
  { path: '/chat', question: 'Who was Ada Lovelace?', generations: 1 },
  { path: '/stream', question: 'Tell me about the sea.', generations: 1 },
  { path: '/tools', question: 'What is the weather in Paris?', generations: 2 },
]

/** What ends the parts that were started, in the order of their start. */
const stops = []
let ended
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0))

try {
  await demo(options())
} catch (error) {
  if (!ended) console.error(`demo: ${error.message}`)
  await end(1)
}

async function demo({ once, json }) {
  const say = json ? console.error : console.log
  build()
  const { startLocal, renderTrace } = await import('@svc/local')
  const { startModelServer } = await import('@svc-examples/model-server')

  const local = await startLocal()
  stops.push(() => local.close())
  const models = await startModelServer()
  stops.push(() => models.close())
  const app = startApp(join(root, 'examples/env-only'), 'app.js', {
    ...local.env,
    OPENAI_BASE_URL: `${models.url}/v1`,
    OPENAI_API_KEY: 'none',
    SVC_HTTP_ROOT: 'true',
    SVC_FLUSH_INTERVAL: '0.2',
    PORT: '0',
  })
  stops.push(() => app.stop())
  const url = await app.listening

  say('examples/env-only, an app without telemetry code:\n\n$ node --import @svc/register app.js\n')
  for (const request of REQUESTS) {
    await Promise.race([post(url, request), app.failed])
    const complete = (trace) => trace.name === `POST ${request.path}` && generationsOf(trace) === request.generations
    const trace = await Promise.race([local.waitForTrace(complete, { timeoutMs: 60_000 }), app.failed])
    console.log(json ? JSON.stringify(trace) : `${renderTrace(trace)}\n`)
  }
  if (once) return end(0)
  say(`All of it, to click through: ${local.pageUrl}\nCtrl-C ends it.`)
  await app.failed
}

function options() {
  const { values } = parseArgs({ options: { once: { type: 'boolean' }, json: { type: 'boolean' } } })
  return values
}

async function post(url, { path, question }) {
  const body = JSON.stringify({ question })
  const response = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const answer = await response.text()
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${answer}`)
}

function generationsOf({ observations }) {
  return observations.filter(({ type }) => type === 'GENERATION').length
}

/** Ends what was started, last first, and then this process. */
function end(code) {
  ended ??= (async () => {
    for (const stop of stops.reverse()) await Promise.allSettled([stop()])
    process.exit(code)
  })()
  return ended
}
