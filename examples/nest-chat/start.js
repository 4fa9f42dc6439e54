// Compiles the app and starts it. The service and the model are started here, too, unless the environment names others.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('.', import.meta.url))
const env = { ...process.env }

if (!env.SVC_PUBLIC_KEY) {
  const { startLocal } = await import('@svc/local')
  const service = await startLocal()
  Object.assign(env, service.env)
  console.log(`The traces: ${service.pageUrl}`)
}
if (!env.OPENAI_API_KEY) {
  const { startModelServer } = await import('@svc-examples/model-server')
  const models = await startModelServer()
  Object.assign(env, { OPENAI_BASE_URL: `${models.url}/v1`, OPENAI_API_KEY: 'none' })
}

const built = await ended(run(fileURLToPath(import.meta.resolve('typescript/bin/tsc'))))
process.exit(built === 0 ? await ended(run('--import', '@svc/register', 'dist/main.js')) : built)

function run(...args) {
  return spawn(process.execPath, args, { cwd, env, stdio: 'inherit' })
}

/** The exit code of a child. Ctrl-C reaches it without us; another's wish to end this process is passed on. */
async function ended(child) {
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  const [code] = await once(child, 'exit')
  return code ?? 1
}
