import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { installPacked, NPM_TIMEOUT } from './pack.ts'

const apps = fileURLToPath(new URL('workers', import.meta.url))

let service: Service
let home: string
beforeAll(async () => {
  service = await startService()
  const dependencies = {
    '@opentelemetry/api': '~1.9.1',
    '@opentelemetry/sdk-trace-base': '^2.12.0',
    '@anthropic-ai/sdk': '0.127.0',
    openai: '7.55.0',
    workerd: '1.20261117.1',
  }
  home = await installPacked(
    { dependencies },
    { only: ['@svc/otel', '@svc/client', '@svc/tracing', '@svc/instrumentation'] },
  )
  await cp(apps, home, { recursive: true })
  for (const worker of ['worker', 'models']) {
    await build({
      cwd: home,
      input: `${worker}.mjs`,
      external: /^node:/,
      resolve: { conditionNames: ['workerd', 'worker', 'browser', 'import'] },
      output: { file: join(home, `${worker}.js`), codeSplitting: false },
      logLevel: 'warn',
    })
  }
}, NPM_TIMEOUT)
afterAll(() => service.close())

/** Cloudflare's runtime with the worker, until the test ends. @returns reads a path of it */
async function startWorker(
  name: string,
  flag: string,
  more: Readonly<Record<string, string>> = {},
  worker = 'worker',
): Promise<(path: string) => Promise<string>> {
  const bindings = Object.entries({ ...service.env, SVC_TIMEOUT: '60', ...more })
    .filter(([variable]) => /^(SVC|OPENAI)_/.test(variable))
    .map(([variable, text]) => `(name = ${JSON.stringify(variable)}, text = ${JSON.stringify(text)})`)
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["local"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "${worker}.js")],
  compatibilityDate = "2026-07-01",
  compatibilityFlags = ["${flag}"],
  bindings = [${bindings}],
);
`
  await writeFile(join(home, `${name}.capnp`), config)
  const workerd: string = createRequire(join(home, 'package.json'))('workerd').default
  const running = spawn(workerd, ['serve', `${name}.capnp`, '--control-fd=3'], {
    cwd: home,
    // It warns of each promise of a request that is gone.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  onTestFinished(async () => {
    running.kill()
    await once(running, 'exit')
  })
  const [line] = await once(createInterface(running.stdio[3] as Readable), 'line')
  return async (path) => {
    const response = await fetch(`http://127.0.0.1:${JSON.parse(line).port}${path}`)
    const text = await response.text()
    expect(response.status, text).toBe(200)
    return text
  }
}

const spansOf = (traceId: string) => service.local.spans().filter((span) => span.traceId === traceId)

// With `nodejs_compat` Workers have most modules of Node, with other numbers in them.
it.each(['nodejs_compat', 'nodejs_als'])('a Worker with %s delivers what its requests record', async (flag) => {
  const read = await startWorker(flag, flag)
  const traces = await Promise.all(Array.from({ length: 20 }, () => read('/')))
  await read('/flush')
  expect(traces.map((id) => spansOf(id).length)).toEqual(traces.map(() => 3))
  const scored = new Set(service.local.scores().map(({ traceId }) => traceId))
  expect(traces.filter((id) => !scored.has(id))).toEqual([])
  for (const id of traces) {
    const outer = spansOf(id).find(({ name }) => name === 'outer')
    const all = spansOf(id).map(({ name, parentSpanId, attributes }) => [name, parentSpanId, attributes['user.id']])
    expect(all.sort()).toEqual([
      ['a', outer?.spanId, 'ada'],
      ['b', outer?.spanId, 'ada'],
      ['outer', null, 'ada'],
    ])
  }
})

it('a Worker delivers what was under way when a request ended, with one that comes later', async () => {
  const read = await startWorker('cut-off', 'nodejs_als', { SVC_TIMEOUT: '1' })
  const traces = await Promise.all(Array.from({ length: 10 }, () => read('/cut-off')))
  const isDelivered = () => traces.every((id) => spansOf(id).length === 3)
  // Each waits for a second without progress.
  while (!isDelivered()) await read('/flush')
  expect(traces.map((id) => spansOf(id).length)).toEqual(traces.map(() => 3))
})

it('a Worker records what its libraries ask of models, once, with the user of each request', async () => {
  const read = await startWorker('models', 'nodejs_compat', {}, 'models')
  const asked = service.models.requests().length
  const users = ['ada', 'bob', 'eve']
  const traces = await Promise.all(users.map((user) => read(`/?user=${user}`)))
  await service.local.waitFor(() => traces.every((id) => spansOf(id).length === 5))
  expect(service.models.requests().length - asked).toBe(users.length * 4)
  for (const [index, id] of traces.entries()) {
    const spans = spansOf(id)
    const root = spans.find(({ name }) => name === 'ask')
    const calls = spans.filter((span) => span !== root)
    expect(calls.map(({ name }) => name).sort()).toEqual([
      'chat claude-sonnet-4-5',
      'chat gpt-4o',
      'chat gpt-4o',
      'observed',
    ])
    for (const { name, parentSpanId, attributes } of calls) {
      expect([name, parentSpanId]).toEqual([name, root?.spanId])
      expect(attributes['svc.observation.usage_details'], name).toMatch(/"output":[1-9]/)
    }
    expect(spans.map(({ attributes }) => attributes['user.id'])).toEqual(spans.map(() => users[index]))
  }
})
