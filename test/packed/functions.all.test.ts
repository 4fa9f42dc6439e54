import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../apps/free-port.ts'
import { type Program, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installPacked, NPM_TIMEOUT, run } from './pack.ts'

const PRELOAD = ['--import', '@svc/register']
const USERS = ['ann', 'bob']

let service: Service
let home: string
let bundle: string
beforeAll(async () => {
  service = await startService()
  const dependencies = {
    openai: '7.55.0',
    '@opentelemetry/api': '1.10.0',
    '@vercel/node': '24.0.0',
    '@netlify/zip-it-and-ship-it': '16.2.3',
    '@google-cloud/functions-framework': '5.0.5',
    '@azure/functions': '4.16.5',
  }
  home = await installPacked({ dependencies }, { only: ['@svc/register', '@svc/tracing'], args: ['--ignore-scripts'] })
  await cp(fileURLToPath(new URL('functions', import.meta.url)), home, { recursive: true })
  // With nothing but what Netlify takes along.
  bundle = await mkdtemp(join(tmpdir(), 'svc-netlify-'))
  await run(process.execPath, ['netlify-build.mjs', bundle], { cwd: home })
}, NPM_TIMEOUT)
afterAll(() => service.close())

/** A program that delivers nothing by its clock. */
const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startNode(args, { cwd: home, env: { ...service.env, SVC_FLUSH_INTERVAL: '3600', ...env }, asBuilt: true })

const ask = (port: string) =>
  Promise.all(
    USERS.map(async (user) => {
      const response = await fetch(`http://127.0.0.1:${port}/?user=${user}`)
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(user)])
    }),
  )

/** Each user has a trace: a root of this name, and the call below it. */
function expectTraces(root: string, before: number): void {
  const spans = service.local.spans().slice(before)
  const drawn = spans.map(({ name, attributes, parentSpanId }) => [
    attributes['user.id'],
    spans.find(({ spanId }) => spanId === parentSpanId)?.name,
    name,
  ])
  const wanted = USERS.flatMap((user) => [
    [user, undefined, root],
    [user, root, 'chat gpt-test'],
  ])
  expect(drawn.sort()).toEqual(wanted.sort())
}

/** The program ends, and svc has said nothing. @returns what it printed */
async function endOf({ ended }: Program): Promise<string> {
  const { stdout, stderr } = await ended
  expect(stderr).not.toContain('[Svc SDK]')
  return stdout
}

it.each(['vercel-web.mjs', 'vercel-node.mjs'])('Vercel waits for what %s recorded', async (VERCEL_DEV_ENTRYPOINT) => {
  const before = service.local.spans().length
  const env = { VERCEL: '1', VERCEL_DEV_ENTRYPOINT }
  const program = start(['node_modules/@vercel/node/dist/dev-server.mjs'], env)
  const [, port = ''] = await program.printed(/port: (\d+)/)
  await ask(port)
  await service.local.waitFor(() => service.local.spans().length >= before + 2 * USERS.length)
  program.kill('SIGKILL')
  await endOf(program)
  expectTraces('GET /', before)
})

it.each([
  ['Netlify waits for what a function recorded', 'GET /users/:user', () => ['netlify-invoke.mjs', bundle]],
  ['a hook of Azure Functions delivers before the answer', 'ask', () => [...PRELOAD, 'azure-invoke.mjs']],
])('%s', async (_, root, args) => {
  const before = service.local.spans().length
  const printed = await endOf(start(args()))
  expect(printed.match(/^answer: .*three parts/gm)).toHaveLength(USERS.length)
  expectTraces(root, before)
})

it('a function of Google Cloud delivers what it holds at SIGTERM', async () => {
  const before = service.local.spans().length
  const port = await freePort()
  const framework = 'node_modules/@google-cloud/functions-framework/build/src/main.js'
  const program = start([...PRELOAD, framework, '--target=ask', '--source=google.mjs', `--port=${port}`])
  await program.printed(/URL: http/)
  await ask(port)
  program.kill('SIGTERM')
  await endOf(program)
  expectTraces('GET /', before)
})
