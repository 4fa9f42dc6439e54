import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attributes as attributesOf } from '../../../test/support/attributes.ts'
import { basic, otlpJson, post } from '../../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../../index.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
  await post(local, otlpJson(SPANS, { name: 'svc-sdk', version: '6.0.0' }), { 'content-type': 'application/json' })
})
afterAll(() => local.close())

const TRACE = 'a'.repeat(32)
const id = (digit: number) => `${digit}`.repeat(16)
const at = (second: number) => `17000000${String(second).padStart(2, '0')}000000000`

// root ─┬─ model call
//       └─ tool (broken)          and one observation of another trace, before all of them
const SPANS = [
  {
    traceId: TRACE,
    spanId: id(1),
    name: 'root',
    startTimeUnixNano: at(10),
    endTimeUnixNano: at(20),
    attributes: attributesOf({
      'user.id': 'ada',
      'session.id': 's1',
      'svc.environment': 'prod',
      'svc.version': '2',
      'svc.trace.name': 'chat',
      'svc.trace.tags': ['a', 'b'],
      'svc.observation.metadata.plan': '{"name":"free","seats":3}',
      'svc.observation.metadata.dotted.key': '"dots"',
    }),
  },
  {
    traceId: TRACE,
    spanId: id(2),
    parentSpanId: id(1),
    name: 'model call',
    startTimeUnixNano: at(11),
    endTimeUnixNano: at(15),
    attributes: attributesOf({
      'svc.observation.type': 'generation',
      'svc.observation.model.name': 'gpt-5',
      'svc.observation.model.parameters': '{"temperature":1}',
      'svc.observation.usage_details': '{"input":10,"output":5}',
      'svc.observation.cost_details': '{"total":0.5}',
      'svc.observation.completion_start_time': '2023-11-14T22:13:32.000Z',
      'svc.observation.prompt.name': 'greeting',
      'svc.observation.prompt.version': 3,
      'svc.observation.input': '{"ask":true}',
      'svc.observation.output': 'answered',
      'svc.environment': 'prod',
    }),
  },
  {
    traceId: TRACE,
    spanId: id(3),
    parentSpanId: id(1),
    name: 'tool',
    startTimeUnixNano: at(11),
    endTimeUnixNano: at(11),
    status: { code: 2, message: 'broken' },
    attributes: attributesOf({ 'svc.observation.type': 'tool' }),
  },
  { traceId: 'b'.repeat(32), spanId: id(4), name: 'other', startTimeUnixNano: at(1), endTimeUnixNano: at(2) },
]

interface Body {
  data: Record<string, unknown>[]
  meta: { cursor?: string }
  error: { path: string[]; message: string }[]
}

async function ask(query: Record<string, string> | string): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${local.url}/api/public/v2/observations?${new URLSearchParams(query)}`, {
    headers: { authorization: basic(local.publicKey, local.secretKey) },
  })
  return { status: response.status, body: (await response.json()) as Body }
}

const names = async (query: Record<string, string> | string): Promise<(string | undefined)[]> =>
  (await ask(query)).body.data.map(({ id }) => SPANS.find(({ spanId }) => spanId === id)?.name)

it('observations are listed newest first, with the field groups core and basic', async () => {
  const { status, body } = await ask({})
  expect(status).toBe(200)
  expect(body.meta).toEqual({})
  expect(body.data.map(({ name }) => name)).toEqual(['tool', 'model call', 'root', 'other'])
  expect(body.data[2]).toEqual({
    id: id(1),
    traceId: TRACE,
    startTime: '2023-11-14T22:13:30.000Z',
    endTime: '2023-11-14T22:13:40.000Z',
    projectId: 'svc-local',
    parentObservationId: null,
    type: 'SPAN',
    isRootObservation: true,
    modelId: null,
    inputPrice: null,
    outputPrice: null,
    totalPrice: null,
    name: 'root',
    level: 'DEFAULT',
    statusMessage: null,
    version: '2',
    environment: 'prod',
    bookmarked: false,
    public: false,
    userId: 'ada',
    sessionId: 's1',
  })
})

describe('field groups', () => {
  const GROUPS: Record<string, object> = {
    time: {
      completionStartTime: '2023-11-14T22:13:32.000Z',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    },
    io: { input: '{"ask":true}', output: 'answered' },
    metadata: { metadata: {} },
    model: { providedModelName: 'gpt-5', internalModelId: null, modelParameters: { temperature: 1 } },
    usage: {
      usageDetails: { input: 10, output: 5, total: 15 },
      costDetails: { total: 0.5 },
      totalCost: 0.5,
      usagePricingTierName: null,
    },
    prompt: { promptId: null, promptName: 'greeting', promptVersion: 3 },
    metrics: { latency: 4, timeToFirstToken: 1 },
    trace_context: { traceName: null, tags: [], release: null },
  }

  it.each(Object.entries(GROUPS))('%s belongs to the group core', async (group, expected) => {
    const { body } = await ask({ fields: group, name: 'model call' })
    const { body: core } = await ask({ fields: 'core', name: 'model call' })
    expect(body.data).toEqual([{ ...core.data[0], ...expected }])
  })

  it('input and output are decoded on request', async () => {
    const { body } = await ask({ fields: 'io', name: 'model call', parseIoAsJson: 'true' })
    expect(body.data[0]).toMatchObject({ input: { ask: true }, output: 'answered' })
  })
})

describe('single filters', () => {
  it.each([
    ['name=tool', ['tool']],
    ['userId=ada', ['root']],
    ['sessionId=s1', ['root']],
    ['type=generation', ['model call']],
    [`traceId=${'b'.repeat(32)}`, ['other']],
    ['level=ERROR', ['tool']],
    [`parentObservationId=${id(1)}`, ['tool', 'model call']],
    ['isRootObservation=true', ['root', 'other']],
    ['isRootObservation=false', ['tool', 'model call']],
    ['environment=prod', ['model call', 'root']],
    ['environment=prod&environment=default', ['tool', 'model call', 'root', 'other']],
    ['fromStartTime=2023-11-14T22:13:31.000Z', ['tool', 'model call']],
    ['toStartTime=2023-11-14T22:13:30.000Z', ['other']],
    ['version=2', ['root']],
    ['name=', ['tool', 'model call', 'root', 'other']],
    [`name=root&traceId=${'b'.repeat(32)}`, []],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })
})

describe('filter conditions', () => {
  it.each([
    [{ type: 'string', column: 'name', operator: '=', value: 'tool' }, ['tool']],
    [{ type: 'string', column: 'name', operator: 'contains', value: 'o' }, ['tool', 'model call', 'root', 'other']],
    [{ type: 'string', column: 'name', operator: 'does not contain', value: 'oo' }, ['model call', 'other']],
    [
      { type: 'string', column: 'userId', operator: 'does not contain', value: 'x' },
      ['tool', 'model call', 'root', 'other'],
    ],
    [{ type: 'string', column: 'name', operator: 'starts with', value: 'to' }, ['tool']],
    [{ type: 'string', column: 'name', operator: 'ends with', value: 'l' }, ['tool', 'model call']],
    [
      { type: 'stringOptions', column: 'type', operator: 'any of', value: ['TOOL', 'GENERATION'] },
      ['tool', 'model call'],
    ],
    [{ type: 'stringOptions', column: 'userId', operator: 'none of', value: ['ada'] }, ['tool', 'model call', 'other']],
    [{ type: 'number', column: 'latency', operator: '>', value: 3 }, ['model call', 'root']],
    [{ type: 'number', column: 'totalTokens', operator: '=', value: 15 }, ['model call']],
    [{ type: 'number', column: 'totalCost', operator: '<=', value: 1 }, ['model call']],
    [{ type: 'datetime', column: 'startTime', operator: '<', value: '2023-11-14T22:13:30Z' }, ['other']],
    [{ type: 'boolean', column: 'isRootObservation', operator: '<>', value: true }, ['tool', 'model call']],
    [{ type: 'null', column: 'model', operator: 'is not null', value: '' }, ['model call']],
    [{ type: 'null', column: 'model', operator: 'is null', value: '' }, ['tool', 'root', 'other']],
    [{ type: 'arrayOptions', column: 'tags', operator: 'any of', value: ['b', 'c'] }, ['root']],
    [{ type: 'arrayOptions', column: 'tags', operator: 'all of', value: ['a', 'c'] }, []],
    [{ type: 'arrayOptions', column: 'traceTags', operator: 'none of', value: ['a'] }, ['tool', 'model call', 'other']],
    [{ type: 'stringObject', column: 'metadata', key: 'plan.name', operator: '=', value: 'free' }, ['root']],
    [{ type: 'stringObject', column: 'metadata', key: 'dotted.key', operator: '=', value: 'dots' }, ['root']],
    [{ type: 'numberObject', column: 'metadata', key: 'plan.seats', operator: '>=', value: 3 }, ['root']],
    [{ type: 'numberObject', column: 'metadata', key: "plan'] OR 1=1 --", operator: '>=', value: 3 }, []],
  ])('%j', async (condition, expected) => {
    expect(await names({ filter: JSON.stringify([condition]) })).toEqual(expected)
  })

  it('must all match', async () => {
    const filter = [
      { type: 'string', column: 'environment', operator: '=', value: 'prod' },
      { type: 'string', column: 'type', operator: '=', value: 'SPAN' },
    ]
    expect(await names({ filter: JSON.stringify(filter) })).toEqual(['root'])
  })

  it('replace the single filter on the same column, and are combined with the others', async () => {
    const filter = JSON.stringify([{ type: 'string', column: 'name', operator: '=', value: 'tool' }])
    expect(await names({ filter, name: 'root' })).toEqual(['tool'])
    expect(await names({ filter, traceId: 'b'.repeat(32) })).toEqual([])
  })
})

it('a cursor pages through all observations, each once', async () => {
  const seen: unknown[] = []
  let cursor: string | undefined
  do {
    const { body } = await ask({ limit: '1', ...(cursor ? { cursor } : {}) })
    expect(body.data).toHaveLength(1)
    seen.push(body.data[0]?.name)
    cursor = body.meta.cursor
  } while (cursor)
  expect(seen).toEqual(['tool', 'model call', 'root', 'other'])
})

describe('a bad query is refused, naming the parameter', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=many', 'limit'],
    ['fields=core,nothing', 'fields'],
    ['fields=constructor', 'fields'],
    ['level=BAD', 'level'],
    ['isRootObservation=maybe', 'isRootObservation'],
    ['parseIoAsJson=1', 'parseIoAsJson'],
    ['fromStartTime=yesterday', 'fromStartTime'],
    ['cursor=abc', 'cursor'],
    [`cursor=${Buffer.from('["x",1,2]').toString('base64url')}`, 'cursor'],
    ['filter=[', 'filter'],
    ['filter={}', 'filter'],
    ['filter=[1]', 'filter'],
    ...[
      { type: 'string', column: 'nothing', operator: '=', value: 'x' },
      { type: 'string', column: 'constructor', operator: '=', value: 'x' },
      { type: 'nothing', column: 'name', operator: '=', value: 'x' },
      { type: 'string', column: 'name', operator: '; DROP TABLE', value: 'x' },
      { type: 'string', column: 'name', operator: '=', value: 5 },
      { type: 'number', column: 'name', operator: '=', value: 5 },
      { type: 'stringObject', column: 'metadata', operator: '=', value: 'x' },
      { type: 'stringObject', column: 'metadata', key: '', operator: '=', value: 'x' },
    ].map((condition): [string, string] => [`filter=${encodeURIComponent(JSON.stringify([condition]))}`, 'filter']),
  ])('%s', async (query, parameter) => {
    const { status, body } = await ask(query)
    expect([status, body]).toEqual([
      400,
      { message: 'Invalid request data', error: [{ path: [parameter], message: expect.any(String) }] },
    ])
  })

  it('every other parameter', async () => {
    const { body } = await ask('limit=0&level=BAD&fields=x')
    expect(body.error.map(({ path }) => path[0])).toEqual(['level', 'fields', 'limit'])
  })
})
