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

it('SVC_RECORD=raw keeps the answers of requests as they came', async () => {
  await recorded({ SVC_RECORD: 'raw' })
  const answers = service.local.spans().flatMap(({ attributes }) => attributes['svc.raw.answers'] ?? [])
  expect(answers.map((text) => JSON.parse(String(text)))).toEqual(
    Array(2).fill(expect.objectContaining({ status: 200 })),
  )
})

const CALL = 'GENERATION chat gpt-4o-mini {"input":5,"output":18,"input_cached_tokens":5,"total":28}'

it('of a request to a route of the same process only what that passes on to a model is a call, whoever sends it', async () => {
  const before = service.local.count()
  const args = [...PRELOAD, app('gateway.mjs'), service.models.url]
  const { code, stdout, stderr } = await runNode(args, { cwd, env: service.env })
  expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: '', stdout: 'assistant\n'.repeat(12) })
  const observations = service.local.observations().slice(before)
  const draw = (parent: string | null = null): string[] =>
    observations
      .filter(({ parentId }) => parentId === parent)
      .map(({ id, type, name }) => [`${type} ${name}`, ...draw(id)].join(' > '))
      .toSorted()
  const ways = ['fetch', 'http', 'openai']
  expect(draw()).toEqual([
    `GENERATION chat mock > SPAN POST ${ROUTE} > SPAN pass on`,
    ...ways.map((way) => `SPAN chat ${way} > SPAN POST ${ROUTE} > SPAN pass on > GENERATION chat ${way}`),
    ...['SPAN pass on', 'SPAN pass on'],
    ...ways.flatMap((way) => Array(2).fill(`SPAN pass on > GENERATION chat ${way}`)),
  ])
})

const ROUTE = '/v1/chat/completions'
