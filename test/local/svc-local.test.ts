import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startLocal } from '@svc/local'
import { afterAll, expect, it } from 'vitest'
import { helpOf } from '../../packages/local/src/cli-arguments.ts'
import { ENCODERS, post, record } from '../../packages/local/test/support/sdk.ts'

const BINARY = join(import.meta.dirname, '../../packages/local/bin/svc-local.js')
const folder = mkdtempSync(join(tmpdir(), 'svc-local-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const runWith = (env: Record<string, string>, ...args: string[]) =>
  spawn(process.execPath, [BINARY, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
const run = (...args: string[]) => runWith({}, ...args)

async function ended(child: ReturnType<typeof run>) {
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { stdout, stderr, code, signal }
}

/** Everything that it prints until it listens. */
async function announced(child: ReturnType<typeof run>): Promise<string> {
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (output.includes('SVC_BASE_URL=') && output.endsWith('\n')) return output
  }
  throw new Error(`it ended: ${output}`)
}

async function stopped(child: ChildProcess, signal: NodeJS.Signals) {
  const closed = once(child, 'close')
  child.kill(signal)
  return closed
}

it('svc-local prints the URL that opens its page and the three lines to paste, and serves requests', async () => {
  const child = run('--port', '0')
  const output = await announced(child)
  const [, url, token] = /^svc-local (http:\/\/127\.0\.0\.1:\d+)\/\?token=([\w-]{32}) \(/.exec(output) ?? []
  expect(output.split('\n').slice(2, 5)).toEqual([
    'export SVC_PUBLIC_KEY=pk-svc-local',
    'export SVC_SECRET_KEY=sk-svc-local',
    `export SVC_BASE_URL=${url}`,
  ])
  expect((await fetch(`${url}/api/public/health`)).status).toBe(200)
  expect((await fetch(`${url}/viewer/traces`)).status).toBe(403)
  const opened = await fetch(`${url}/?token=${token}`, { redirect: 'manual' })
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  expect((await fetch(`${url}/viewer/traces`, { headers: { cookie } })).status).toBe(200)
  await stopped(child, 'SIGTERM')
})

it('playground keys are read from the environment, and are never printed', async () => {
  const key = 'sk-the-users-own-key'
  const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: 'nowhere' }
  const child = runWith(env, '--port', '0', '--no-token')
  const errors = text(child.stderr)
  const output = await announced(child)
  const about = await (await fetch(`${/SVC_BASE_URL=(.*)/.exec(output)?.[1]}/viewer/about`)).text()
  await stopped(child, 'SIGTERM')
  expect(JSON.parse(about).playground).toEqual(['openai'])
  expect(await errors).toMatch(/^svc-local: ANTHROPIC_BASE_URL="nowhere" is not usable, so the playground does not/)
  expect(output + about + (await errors)).not.toContain(key)
})

it('beyond loopback the service uses the keys of the environment, and flags win', async () => {
  const env = { SVC_PUBLIC_KEY: 'pk-variable', SVC_SECRET_KEY: 'sk-variable' }
  const far = runWith(env, '--port', '0', '--host', '0.0.0.0', '--public-key', 'pk-flag')
  expect(await announced(far)).toContain('SVC_PUBLIC_KEY=pk-flag\nexport SVC_SECRET_KEY=sk-variable\n')
  const near = runWith(env, '--port', '0')
  expect(await announced(near)).toContain('SVC_PUBLIC_KEY=pk-svc-local\nexport SVC_SECRET_KEY=sk-svc-local\n')
  await Promise.all([far, near].map((child) => stopped(child, 'SIGTERM')))
})

it('beyond loopback the keys that everybody knows are replaced, wherever they come from', async () => {
  const [publicKey, secretKey] = ['pk-svc-local', 'sk-svc-local']
  const far = ['--port', '0', '--host', '0.0.0.0']
  const starts = [
    runWith({ SVC_PUBLIC_KEY: publicKey, SVC_SECRET_KEY: secretKey }, ...far),
    run(...far, '--public-key', publicKey, '--secret-key', secretKey),
  ]
  for (const child of starts) {
    const errors = text(child.stderr)
    expect(await announced(child)).toMatch(/SVC_PUBLIC_KEY=pk-svc-[\w-]{24}\nexport SVC_SECRET_KEY=sk-svc-[\w-]{24}\n/)
    await stopped(child, 'SIGTERM')
    expect(await errors).toMatch(/Everybody knows the default keys of svc-local, .*: random keys take their place\./)
  }
})

it.each(['SIGINT', 'SIGTERM'] as const)('%s closes svc-local cleanly', async (signal) => {
  const child = run('--port', '0')
  await announced(child)
  expect(await stopped(child, signal)).toEqual([0, null])
})

it('keys and a database file are taken from flags, and data is kept', async () => {
  const db = join(folder, 'kept.db')
  const child = run('--port', '0', '--db', db, '--public-key', 'pk-mine', '--secret-key', 'sk-mine')
  const output = await announced(child)
  const url = /SVC_BASE_URL=(.*)/.exec(output)?.[1] ?? ''
  expect(output).toContain('SVC_PUBLIC_KEY=pk-mine\nexport SVC_SECRET_KEY=sk-mine\n')
  const kept = ENCODERS[0].encode(record((start) => start('kept').end()))
  const response = await post({ url, publicKey: 'pk-mine', secretKey: 'sk-mine' }, kept)
  expect(response.status).toBe(200)
  await stopped(child, 'SIGTERM')
  const local = await startLocal({ db })
  expect(local.traces()).toMatchObject([{ name: 'kept' }])
  await local.close()
})

it('another address is used with random keys and a warning of one line', async () => {
  const child = run('--port', '0', '--host', '0.0.0.0')
  expect(await announced(child)).toMatch(/SVC_PUBLIC_KEY=pk-svc-[\w-]{24}\nexport SVC_SECRET_KEY=sk-svc-[\w-]{24}\n/)
  const [, stderr] = await Promise.all([stopped(child, 'SIGTERM'), text(child.stderr)])
  expect(stderr).toBe(
    'svc-local: 0.0.0.0 is reachable from other machines: anyone with the keys can read the traces.\n',
  )
})

it('svc-local --help lists the flags, and an argument that is none is reported in one line', async () => {
  expect(await ended(run('--help'))).toEqual({ code: 0, signal: null, stdout: `${helpOf('svc-local')}\n`, stderr: '' })
  const stderr = "svc-local: Unknown option '--nothing'. See svc-local --help.\n"
  expect(await ended(run('--nothing'))).toEqual({ code: 2, signal: null, stdout: '', stderr })
})

it('a failed start of svc-local is reported in one line', async () => {
  const local = await startLocal()
  const { port } = new URL(local.url)
  const { stderr, code } = await ended(run('--port', port))
  const line = `svc-local: cannot listen on 127.0.0.1, port ${port}: the port is in use, choose another one.\n`
  expect([code, stderr]).toEqual([1, line])
  await local.close()
})
