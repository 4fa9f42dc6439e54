// The app of this folder, built and started in one of its variants.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onCore } from '../measure.mjs'

const cwd = fileURLToPath(new URL('.', import.meta.url))
const next = fileURLToPath(import.meta.resolve('next/dist/bin/next'))
const servers = new Set()
process.on('exit', () => {
  for (const server of servers) server.kill()
})

/** Builds a variant; says what the build said only when it fails. */
export async function build(variant, variables) {
  const child = run([process.execPath, [next, 'build']], variant, variables)
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`next build of ${variant} ended with ${code}:\n${Buffer.concat(output)}`)
}

/** Starts a variant that was built, on a free port and the first core. */
export function start(variant, variables) {
  const args = [next, 'start', '--hostname', '127.0.0.1', '--port', '0']
  const child = run(onCore(0, args), variant, variables)
  servers.add(child)
  child.stderr.pipe(process.stderr)
  return new Promise((resolve, reject) => {
    const closed = once(child, 'close').then(() => servers.delete(child))
    closed.then(() => reject(new Error(`next start of ${variant} ended`)))
    const close = () => {
      child.kill()
      return closed
    }
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
      if (url) resolve({ url, close })
    })
  })
}

function run([command, args], variant, variables) {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, NEXT_TELEMETRY_DISABLED: '1', VARIANT: variant, ...variables }
  return spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
}
