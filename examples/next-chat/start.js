// Builds the app and starts it. The service and the model are started here, too, unless the environment names others.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('.', import.meta.url))
const next = fileURLToPath(import.meta.resolve('next/dist/bin/next'))
const env = { NEXT_TELEMETRY_DISABLED: '1', ...process.env }

if (!env.SVC_PUBLIC_KEY) {
  const { startLocal } = await import('@svc/local')
  const service = await startLocal()
  Object.assign(env, service.env)
  console.log(`The traces: ${service.pageUrl}`)
}
if (!env.OPENAI_API_KEY) {
  const { startModelServer } = await import('@svc-examples/model-server')
  const models = await startModelServer({ pause: 40 })
  console.log(`The model: ${models.url}`)
  Object.assign(env, { OPENAI_BASE_URL: `${models.url}/v1`, OPENAI_API_KEY: 'none' })
}

const built = await ended(run('build'))
process.exit(built === 0 ? await ended(run('start', '--hostname', '127.0.0.1', '--port', env.PORT ?? '8080')) : built)

function run(...args) {
  return spawn(process.execPath, [next, ...args], { cwd, env, stdio: 'inherit' })
}

/** The exit code of a child. Ctrl-C reaches it without us; another's wish to end this process is passed on. */
async function ended(child) {
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  const [code] = await once(child, 'exit')
  return code ?? 1
}
