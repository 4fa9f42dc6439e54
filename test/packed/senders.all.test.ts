import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Observation } from '@svc/local'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeServiceCertificate } from '../support/network.ts'
import { type Ended, runNode, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installPacked, NPM_TIMEOUT, run } from './pack.ts'

const undici = ['undici-6', 'undici-7', 'undici-8'].flatMap((name) =>
  ['request', 'stream', 'pipeline'].map((way) => `${name} ${way}`),
)
const SENDERS = [
  'fetch',
  'fetch, cloned',
  ...undici,
  'node:http',
  'node:https',
  'node:http2',
  'axios',
  'got',
  'node-fetch',
  'superagent',
]
/** Cases that a client does not have: one branch of a clone is left while the other is read; no bodies in pieces. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  'fetch, cloned': ['streamed and left'],
  superagent: ['uploaded'],
}
const BUNDLED = ['openai-4', 'openai-5', 'openai-6', 'openai-7']

// Some clients are CommonJS, and ask for the parts of Node by `require`.
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"

const { certFile, keyFile } = makeServiceCertificate()
let service: Service
let home: string
// A service each: what it has received is read again with each look.
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.close())
beforeAll(async () => {
  const dependencies = {
    axios: '1.21.1',
    got: '16.1.0',
    'node-fetch': '3.3.2',
    superagent: '10.4.2',
    'undici-6': 'npm:undici@6.29.1',
    'undici-7': 'npm:undici@7.30.2',
    'undici-8': 'npm:undici@8.13.0',
    'openai-4': 'npm:openai@4.95.0',
    'openai-5': 'npm:openai@5.7.0',
    'openai-6': 'npm:openai@6.30.1',
    'openai-7': 'npm:openai@7.55.0',
    esbuild: '0.28.2',
  }
  const manifest = { type: 'module', dependencies }
  home = await installPacked(manifest, { only: ['@svc/register'], args: ['--legacy-peer-deps'] })
  await cp(fileURLToPath(new URL('senders', import.meta.url)), home, { recursive: true })
}, NPM_TIMEOUT)

/** One run of an application: what it saw, what the model was asked, and what was recorded of it. */
async function seen(flags: readonly string[], app: string, sender: string, ...more: string[]) {
  const models = startNode([join(home, 'model.mjs'), keyFile, certFile], { cwd: home, asBuilt: true })
  const [, http = '', http2 = '', https = ''] = await models.printed(/(\S+) (\S+) (\S+)/)
  const origin = { 'node:http2': http2, 'node:https': https }[sender] ?? http
  const target = `${origin}/v1/chat/completions`
  const env = { ...service.env, NODE_NO_WARNINGS: '1' }
  const options = { cwd: home, env, asBuilt: true }
  const ended: Ended = await runNode([...flags, app, sender, http, target, ...more], options)
  const log: unknown = await (await fetch(`${http}/log`)).json()
  models.kill('SIGKILL')
  return { ended, log, calls: service.local.observations() }
}

/** Compares a run without us to one with us, and returns the calls that are recorded. */
async function compare(app: string, sender: string, ...more: string[]) {
  const bare = await seen([], app, sender, ...more)
  expect(bare.ended).toMatchObject({ code: 0, stderr: '' })
  const { ended, log, calls } = await seen(['--import', '@svc/register'], app, sender, ...more)
  expect({ ended, log }).toEqual({ ended: bare.ended, log: bare.log })
  return calls
}

const WHOLE = / DEFAULT, Hello, 12 tokens$/
/** How the call of each case ends, in the words of the page. */
const CALLS: Readonly<Record<string, RegExp>> = {
  whole: WHOLE,
  refused: /^chat refused ERROR 429 Slow down, nothing, 0 tokens$/,
  streamed: WHOLE,
  // OpenAI's newest client aborts the request then.
  'streamed and left': / WARNING (?:the caller stopped reading before the end|cancelled by the caller), Hel, 0 tokens$/,
  broken: / ERROR (?:other side closed|aborted|Stream closed with error code NGHTTP2_INTERNAL_ERROR), Hel, 0 tokens$/,
  hung: / WARNING cancelled by the caller, nothing, 0 tokens$/,
  uploaded: WHOLE,
  large: / DEFAULT, Hello Hello /,
}

function expectCalls(calls: readonly Observation[], without: readonly string[] = []) {
  const cases = Object.entries(CALLS).filter(([name]) => !without.includes(name))
  const expected = cases.map(([, pattern]) => expect.stringMatching(pattern))
  expect(calls.map(described)).toEqual(expected)
}

function described({ name, level, statusMessage, output, usage }: Observation): string {
  const [{ content = 'nothing' } = {}] = (output ?? []) as [{ content?: string }?]
  const status = statusMessage ? ` ${statusMessage}` : ''
  return `${name} ${level}${status}, ${content.slice(0, 20)}, ${usage?.total ?? 0} tokens`
}

describe('an application sees the same, the model is asked the same, and each call is recorded', () => {
  it.each(SENDERS)('by %s', async (sender) => {
    const without = WITHOUT[sender] ?? []
    expectCalls(await compare('app.mjs', sender, ...without), without)
  })

  it.each(BUNDLED)('by %s in a bundle', async (library) => {
    expectCalls(await compare(await bundled(library), library), ['uploaded'])
  })
})

describe('a thousand streams at once', () => {
  const seen = async (app: string, sender: string) => {
    const calls = await compare(app, sender, 'many')
    expect(calls.length).toBe(1_000)
    expect(new Set(calls.map(described))).toEqual(new Set(['chat many DEFAULT, Hello, 12 tokens']))
  }

  it.each(SENDERS)('by %s are each recorded, and read as without us', (sender) => seen('app.mjs', sender))

  it.each(BUNDLED)('by %s in a bundle are each recorded, and read as without us', async (library) =>
    seen(await bundled(library), library),
  )
})

/** Returns the application that has a client in its own file. */
async function bundled(library: string): Promise<string> {
  const bundle = `${library}.mjs`
  const args = ['bundled.mjs', '--bundle', '--platform=node', '--format=esm', `--alias:openai=${library}`]
  const more = [`--banner:js=${REQUIRE}`, `--outfile=${bundle}`, '--log-level=error']
  await run(join(home, 'node_modules/.bin/esbuild'), [...args, ...more], { cwd: home })
  return bundle
}
