import { afterAll, beforeAll, expect, it } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** The calls that a process without any library makes, by `fetch` and `node:http`, as they were recorded. */
async function recorded(variables: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const before = service.local.count()
  const args = [...PRELOAD, app('wire.mjs'), service.models.url]
  const { code, stdout, stderr } = await runNode(args, { cwd, env: { ...service.env, ...variables } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('same bytes')
  const observations = service.local.observations().slice(before)
  return observations.map(({ type, name, usage }) => `${type} ${name} ${JSON.stringify(usage)}`)
}

it('SVC_WIRE is on: requests to models are recorded, whoever sends them, and others are not', async () => {
  expect(await recorded()).toEqual([CALL, CALL])
})

it('SVC_WIRE=off records none, and SVC_WIRE=known-hosts none to an unknown host', async () => {
  expect([await recorded({ SVC_WIRE: 'off' }), await recorded({ SVC_WIRE: 'known-hosts' })]).toEqual([[], []])
})

it('SVC_WIRE_BLOCKED_HOSTS with the host records none', async () => {
  expect(await recorded({ SVC_WIRE_BLOCKED_HOSTS: 'example.com,127.0.0.1' })).toEqual([])
})

const CALL = 'GENERATION chat gpt-4o-mini {"input":5,"output":18,"input_cached_tokens":5,"total":28}'

it('a request to a route of the same process is no call, and what that passes on to a model is one', async () => {
  const before = service.local.count()
  const args = [...PRELOAD, app('gateway.mjs'), service.models.url]
  const { code, stdout, stderr } = await runNode(args, { cwd, env: service.env })
  expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: '', stdout: 'assistant\n'.repeat(4) })
  const observations = service.local.observations().slice(before)
  const calls = observations.filter(({ type }) => type === 'GENERATION').map(({ name }) => name)
  expect(calls.toSorted()).toEqual(['chat fetch', 'chat fetch', 'chat http', 'chat http'])
})
