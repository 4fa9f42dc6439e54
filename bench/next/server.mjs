// The app of this folder, built and started in one of its variants.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('.', import.meta.url))
const next = fileURLToPath(import.meta.resolve('next/dist/bin/next'))
const servers = []
process.on('exit', () => {
  for (const server of servers) server.kill()
})

/** Builds a variant; says what the build said only when it fails. */
export async function build(variant, variables) {
  const child = run(['build'], variant, variables)
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`next build of ${variant} ended with ${code}:\n${Buffer.concat(output)}`)
}

/** Starts a variant that was built, on a free port, until this process ends. */
export function start(variant, variables) {
  const child = run(['start', '--hostname', '127.0.0.1', '--port', '0'], variant, variables)
  servers.push(child)
  child.stderr.pipe(process.stderr)
  return new Promise((resolve, reject) => {
    child.once('close', (code) => reject(new Error(`next start of ${variant} ended with ${code}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
      if (url) resolve(url)
    })
  })
}

function run(args, variant, variables) {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, NEXT_TELEMETRY_DISABLED: '1', VARIANT: variant, ...variables }
  return spawn(process.execPath, [next, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
}
