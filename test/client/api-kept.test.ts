import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SvcAPIError, SvcClient } from '@svc/client'
import { startLocal } from '@svc/local'
import { beforeEach, describe, expect, it } from 'vitest'
import { useBench } from './api-support.ts'

const bench = useBench()
let api: SvcClient['api']
beforeEach(() => {
  api = bench.client().api
})

/** What a refused call is answered. */
async function refusal(call: Promise<unknown>): Promise<{ status: number | undefined; text: string }> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SvcAPIError)
  const { statusCode, body } = error as SvcAPIError
  return { status: statusCode, text: JSON.stringify(body) }
}

const refused = (text: string) => ({ status: 400, text: expect.stringContaining(text) })
const missing = (text: string) => ({ status: 404, text: expect.stringContaining(text) })
const isoDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)

let spans = 0
/** Sends a call of a model, as any exporter does. */
async function sendCall(model: string, usage: Record<string, number>, attributes: Record<string, string> = {}) {
  spans += 1
  const traceId = spans.toString(16).padStart(32, 'c')
  const values = {
    'svc.observation.type': 'generation',
    'svc.observation.model.name': model,
    'svc.observation.usage_details': JSON.stringify(usage),
    ...attributes,
  }
  const span = {
    traceId,
    spanId: spans.toString(16).padStart(16, 'd'),
    name: 'call',
    startTimeUnixNano: '1760000000000000000',
    endTimeUnixNano: '1760000001000000000',
    attributes: Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  }
  const resourceSpans = [{ scopeSpans: [{ scope: { name: 'svc-sdk' }, spans: [span] }] }]
  await api.opentelemetry.exportTraces({ resourceSpans } as never)
  const { data } = await api.observations.getMany({ traceId, fields: 'core,basic,model,usage' })
  return { traceId, observation: data[0] }
}

describe('a model in the API', () => {
  it('is created with prices, read back, listed in pages and deleted', async () => {
    const created = await api.models.create({
      modelName: 'house-1',
      matchPattern: '(?i)^(house-1)$',
      unit: 'TOKENS',
      inputPrice: 0.001,
      outputPrice: 0.002,
    })
    expect(created).toEqual({
      id: expect.any(String),
      modelName: 'house-1',
      matchPattern: '(?i)^(house-1)$',
      startDate: null,
      unit: 'TOKENS',
      inputPrice: 0.001,
      outputPrice: 0.002,
      totalPrice: null,
      tokenizerId: null,
      tokenizerConfig: null,
      isSvcManaged: false,
      createdAt: isoDate,
      prices: { input: { price: 0.001 }, output: { price: 0.002 } },
      pricingTiers: [
        {
          id: expect.any(String),
          name: 'Standard',
          isDefault: true,
          priority: 0,
          conditions: [],
          prices: { input: 0.001, output: 0.002 },
        },
      ],
    })
    expect(await api.models.get(created.id)).toEqual(created)
    const second = await api.models.create({ modelName: 'other', matchPattern: 'other' })
    const { data, meta } = await api.models.list({ page: 2, limit: 1 })
    expect([data, meta]).toMatchObject([[second], { page: 2, limit: 1 }])
    expect(meta.totalPages).toBe(meta.totalItems)
    await api.models.delete(second.id)
    expect(await refusal(api.models.get(second.id))).toEqual(missing(second.id))
    expect(await refusal(api.models.delete(second.id))).toEqual(missing(second.id))
  })

  it('is listed before the built-in ones, which cannot be deleted', async () => {
    const { id } = await api.models.create({ modelName: 'gpt-4.1', matchPattern: '^gpt-4.1$', inputPrice: 1 })
    const { data, meta } = await api.models.list({ limit: 100 })
    expect(data).toHaveLength(meta.totalItems)
    const firstBuiltIn = data.findIndex(({ isSvcManaged }) => isSvcManaged)
    const builtIn = data.slice(firstBuiltIn)
    expect(data.findIndex((model) => model.id === id)).toBe(firstBuiltIn - 1)
    expect(new Set(builtIn.map((model) => model.id)).size).toBeGreaterThan(20)
    expect(builtIn.filter((model) => !model.isSvcManaged || !new RegExp(model.matchPattern.slice(4), 'i'))).toEqual([])
    const managed = builtIn.find(({ modelName }) => modelName === 'gpt-4.1')
    expect(managed).toMatchObject({
      unit: 'TOKENS',
      prices: { input: { price: 2e-6 }, output: { price: 8e-6 }, input_cached_tokens: { price: 5e-7 } },
      pricingTiers: [{ name: 'Standard', isDefault: true, prices: { input: 2e-6, output: 8e-6 } }],
    })
    expect(await api.models.get(managed?.id ?? '')).toEqual(managed)
    expect(await refusal(api.models.delete(managed?.id ?? ''))).toMatchObject({ status: 403 })
    expect((await sendCall('gpt-4.1', { input: 3 })).observation).toMatchObject({ modelId: id, totalCost: 3 })
  })

  it('determines the cost of later calls by the matching price tier', async () => {
    const before = await sendCall('tiered-1', { input: 10, output: 1 })
    expect(before.observation).toMatchObject({ modelId: null, totalCost: null, costDetails: {} })
    const { id } = await api.models.create({
      modelName: 'tiered-1',
      matchPattern: '^tiered-1$',
      pricingTiers: [
        { name: 'short', isDefault: true, priority: 0, conditions: [], prices: { input: 1, output: 2 } },
        {
          name: 'long',
          isDefault: false,
          priority: 1,
          conditions: [{ usageDetailPattern: '^INPUT', operator: 'gt', value: 100, caseSensitive: false }],
          prices: { input: 3, output: 4 },
        },
      ],
    })
    const short = await sendCall('tiered-1', { input: 10, output: 1 })
    expect(short.observation).toMatchObject({
      modelId: id,
      internalModelId: id,
      inputPrice: '1',
      outputPrice: '2',
      usagePricingTierName: 'short',
      costDetails: { input: 10, output: 2, total: 12 },
      totalCost: 12,
    })
    const long = await sendCall('tiered-1', { input: 101, output: 1, other: 5 })
    expect(long.observation).toMatchObject({ usagePricingTierName: 'long', totalCost: 307 })
    const sent = await sendCall('tiered-1', { input: 10 }, { 'svc.observation.cost_details': '{"total":5}' })
    expect(sent.observation).toMatchObject({ totalCost: 5 })
    expect((await sendCall('tiered-10', { input: 1 })).observation).toMatchObject({ modelId: null, totalCost: null })
    const query = JSON.stringify({
      view: 'observations',
      metrics: [{ measure: 'totalCost', aggregation: 'sum' }],
      filters: [{ type: 'string', column: 'model', operator: '=', value: 'tiered-1' }],
    })
    expect((await api.metrics.metrics({ query })).data).toEqual([{ sum_totalCost: 324 }])
  })

  it('with a later start date determines the cost of calls after that date', async () => {
    const model = { modelName: 'dated', matchPattern: '^dated$' }
    await api.models.create({ ...model, startDate: '2025-01-01T00:00:00Z', inputPrice: 2 })
    await api.models.create({ ...model, inputPrice: 1 })
    await api.models.create({ ...model, startDate: '2050-01-01T00:00:00Z', inputPrice: 3 })
    expect((await sendCall('dated', { input: 1 })).observation).toMatchObject({ totalCost: 2 })
  })

  const tier = { name: 'a', isDefault: true, priority: 0, conditions: [], prices: { input: 1 } }
  it.each([
    [{ modelName: '' }, 'expected a text that is not empty'],
    [{ matchPattern: '(' }, 'expected a regular expression'],
    [{ unit: 'WORDS' }, 'expected CHARACTERS, TOKENS'],
    [{ inputPrice: 1, totalPrice: 1 }, 'a total price stands alone'],
    [{ inputPrice: 1, pricingTiers: [tier] }, 'send either tiers or inputPrice'],
    [{ pricingTiers: [tier, { ...tier, name: 'b' }] }, 'exactly one tier is the default one'],
    [{ pricingTiers: [tier, { ...tier, isDefault: false }] }, 'a priority of its own'],
    [{ pricingTiers: [{ ...tier, prices: {} }] }, '0: prices: expected at least one price'],
  ])('with %j is refused', async (part, text) => {
    const request = { modelName: 'm', matchPattern: 'm', ...part } as Parameters<typeof api.models.create>[0]
    expect(await refusal(api.models.create(request))).toEqual(refused(text))
  })
})

describe('a score config in the API', () => {
  it('is created, read back, changed and listed in pages', async () => {
    const { api } = bench.client()
    const created = await api.scoreConfigs.create({ name: 'quality', dataType: 'NUMERIC', minValue: 0, maxValue: 1 })
    expect(created).toEqual({
      id: expect.any(String),
      name: 'quality',
      dataType: 'NUMERIC',
      isArchived: false,
      minValue: 0,
      maxValue: 1,
      description: null,
      projectId: 'svc-local',
      createdAt: isoDate,
      updatedAt: isoDate,
    })
    const changed = await api.scoreConfigs.update(created.id, { maxValue: 5, description: 'of the answer' })
    expect(changed).toEqual({ ...created, maxValue: 5, description: 'of the answer', updatedAt: isoDate })
    expect(await api.scoreConfigs.getById(created.id)).toEqual(changed)
    const truth = await api.scoreConfigs.create({ name: 'right', dataType: 'BOOLEAN' })
    expect(truth.categories).toEqual([
      { value: 1, label: 'True' },
      { value: 0, label: 'False' },
    ])
    expect((await api.scoreConfigs.update(truth.id, { name: 'correct' })).categories).toEqual(truth.categories)
    const { data, meta } = await api.scoreConfigs.get({ limit: 1 })
    expect([data[0]?.id, meta.totalItems]).toEqual([created.id, 2])
    expect(await refusal(api.scoreConfigs.getById('none'))).toEqual(missing('none'))
  })

  it('determines which scores are valid', async () => {
    const categories = [
      { value: 1, label: 'good' },
      { value: 0, label: 'bad' },
    ]
    const { id: configId } = await api.scoreConfigs.create({ name: 'mood', dataType: 'CATEGORICAL', categories })
    const score = { name: 'mood', traceId: 't', dataType: 'CATEGORICAL', configId } as const
    const results = await api.scores.create([
      { ...score, id: 'fits', value: 'good' },
      { ...score, value: 'fair' },
      { ...score, value: 1, dataType: 'NUMERIC' },
      { ...score, name: 'other', value: 'good' },
    ])
    const texts = ['expected good, bad', 'is for CATEGORICAL scores', 'is for scores called mood']
    expect(results).toMatchObject({
      accepted: 1,
      rejected: 3,
      errors: texts.map((text) => ({ message: expect.stringContaining(text) })),
    })
    await api.scoreConfigs.update(configId, { isArchived: true })
    expect(await api.scores.create([{ ...score, value: 'good' }])).toMatchObject({ accepted: 0, rejected: 1 })
    const limits = await api.scoreConfigs.create({ name: 'n', dataType: 'NUMERIC', minValue: 0, maxValue: 1 })
    const number = { name: 'n', traceId: 't', configId: limits.id }
    const tried = await api.scores.create([-1, 2, 1].map((value) => ({ ...number, value })))
    expect(tried).toMatchObject({ accepted: 1, rejected: 2 })
  })

  it.each([
    [{ dataType: 'WORDS' }, 'expected NUMERIC, BOOLEAN'],
    [{ dataType: 'TEXT', minValue: 1 }, 'need the dataType NUMERIC'],
    [{ dataType: 'NUMERIC', minValue: 2, maxValue: 1 }, 'expected less than maxValue'],
    [{ dataType: 'CATEGORICAL' }, 'a CATEGORICAL config needs categories'],
    [{ dataType: 'BOOLEAN', categories: [{ value: 1, label: 'a' }] }, 'need the dataType CATEGORICAL'],
    [
      {
        dataType: 'CATEGORICAL',
        categories: [
          { value: 1, label: 'a' },
          { value: 1, label: 'b' },
        ],
      },
      'a label and a value of its own',
    ],
  ])('with %j is refused', async (part, text) => {
    const request = { name: 'c', ...part } as Parameters<typeof api.scoreConfigs.create>[0]
    expect(await refusal(api.scoreConfigs.create(request))).toEqual(refused(text))
  })
})

describe('a comment in the API', () => {
  it('on a trace is read by its id and by its subject', async () => {
    const { traceId } = await sendCall('any', {}, { 'session.id': 'talk' })
    const on = { projectId: 'svc-local', objectType: 'TRACE', objectId: traceId }
    const { id } = await api.comments.create({ ...on, content: 'too long', authorUserId: 'ada' })
    const comment = { id, ...on, content: 'too long', authorUserId: 'ada', createdAt: isoDate, updatedAt: isoDate }
    expect(await api.comments.getById(id)).toEqual(comment)
    await api.comments.create({ ...on, objectType: 'SESSION', objectId: 'talk', content: 'fine' })
    const { data, meta } = await api.comments.get({ objectType: 'TRACE', objectId: traceId })
    expect([data, meta.totalItems]).toEqual([[comment], 1])
    expect((await api.comments.get({ authorUserId: 'nobody' })).data).toEqual([])
  })

  it('on an unknown object, of another project or of a wrong type is refused', async () => {
    const comment = { projectId: 'svc-local', objectType: 'TRACE', objectId: 'none', content: 'c' }
    expect(await refusal(api.comments.create(comment))).toEqual(missing("TRACE not found: 'none'"))
    expect(await refusal(api.comments.create({ ...comment, projectId: 'p' }))).toEqual(refused('expected svc-local'))
    expect(await refusal(api.comments.create({ ...comment, objectType: 'SCORE' }))).toEqual(refused('expected TRACE'))
    expect(await refusal(api.comments.create({ ...comment, content: '' }))).toEqual(refused('content'))
    expect(await refusal(api.comments.get({ objectId: 'o' }))).toEqual(refused('an objectId needs its objectType'))
    expect(await refusal(api.comments.getById('none'))).toEqual(missing('none'))
  })
})

describe('an annotation queue in the API', () => {
  it('is created, and its items are added, completed, listed by status and deleted', async () => {
    const config = await api.scoreConfigs.create({ name: 'review', dataType: 'TEXT' })
    const queue = await api.annotationQueues.createQueue({ name: 'review', scoreConfigIds: [config.id] })
    expect(queue).toEqual({
      id: expect.any(String),
      name: 'review',
      description: null,
      scoreConfigIds: [config.id],
      createdAt: isoDate,
      updatedAt: isoDate,
    })
    expect(await api.annotationQueues.getQueue(queue.id)).toEqual(queue)
    expect((await api.annotationQueues.listQueues()).data).toEqual([queue])
    const add = (objectId: string) => api.annotationQueues.createQueueItem(queue.id, { objectId, objectType: 'TRACE' })
    const [first, second] = [await add('one'), await add('two')]
    expect(first).toMatchObject({ queueId: queue.id, objectId: 'one', status: 'PENDING' })
    const done = await api.annotationQueues.updateQueueItem(queue.id, first.id, { status: 'COMPLETED' })
    expect(done).toEqual({ ...first, status: 'COMPLETED', completedAt: isoDate, updatedAt: isoDate })
    expect(await api.annotationQueues.getQueueItem(queue.id, first.id)).toEqual(done)
    const pending = await api.annotationQueues.listQueueItems(queue.id, { status: 'PENDING' })
    expect([pending.data, pending.meta.totalItems]).toEqual([[second], 1])
    expect(await api.annotationQueues.deleteQueueItem(queue.id, second.id)).toMatchObject({ success: true })
    expect(await refusal(api.annotationQueues.getQueueItem(queue.id, second.id))).toEqual(missing(second.id))
    const who = { userId: 'ada' }
    const assigned = await api.annotationQueues.createQueueAssignment(queue.id, who)
    expect(assigned).toEqual({ userId: 'ada', queueId: queue.id, projectId: 'svc-local' })
    expect(await api.annotationQueues.deleteQueueAssignment(queue.id, who)).toEqual({ success: true })
    expect(await refusal(api.annotationQueues.deleteQueueAssignment(queue.id, who))).toEqual(missing('ada'))
  })

  it('is refused with a duplicate name, unknown or no configs, or items without subject', async () => {
    const { id } = await api.scoreConfigs.create({ name: 'twice', dataType: 'TEXT' })
    const create = (name: string, scoreConfigIds: string[]) =>
      api.annotationQueues.createQueue({ name, scoreConfigIds })
    const queue = await create('twice', [id])
    expect(await refusal(create('twice', [id]))).toEqual(refused('another queue has this name'))
    expect(await refusal(create('new', ['none']))).toEqual(refused('there is no score config none'))
    expect(await refusal(create('new', []))).toEqual(refused('expected at least one score config'))
    expect(await refusal(api.annotationQueues.getQueue('none'))).toEqual(missing('none'))
    const wrong = { objectId: 'o', objectType: 'PROMPT' } as never
    expect(await refusal(api.annotationQueues.createQueueItem(queue.id, wrong))).toEqual(refused('expected TRACE'))
    const other = await create('other', [id])
    const item = await api.annotationQueues.createQueueItem(queue.id, { objectId: 'o', objectType: 'SESSION' })
    expect(await refusal(api.annotationQueues.getQueueItem(other.id, item.id))).toEqual(missing(item.id))
    const status = { status: 'OPEN' } as never
    expect(await refusal(api.annotationQueues.listQueueItems(queue.id, status))).toEqual(refused('expected PENDING'))
  })
})

describe('a project in the API', () => {
  it('is created, changed, listed after the one of the keys, and deleted', async () => {
    const created = await api.projects.create({ name: 'second', metadata: { team: 'a' }, retention: 30 })
    const organization = { id: 'svc-local', name: 'local' }
    const second = { id: created.id, name: 'second', metadata: { team: 'a' }, retentionDays: 30, organization }
    expect(created).toEqual(second)
    const own = { id: 'svc-local', name: 'local', metadata: {}, organization }
    expect(await api.projects.get()).toEqual({ data: [own, second] })
    const renamed = await api.projects.update(created.id, { name: 'renamed' })
    expect(renamed).toEqual({ ...second, name: 'renamed' })
    expect(await api.projects.delete(created.id)).toMatchObject({ success: true })
    expect(await api.projects.get()).toEqual({ data: [own] })
  })

  it('has keys, which give access only to their project', async () => {
    const { publicKey, secretKey } = bench.local
    const started = { id: 'started', publicKey, displaySecretKey: `…${secretKey.slice(-4)}`, createdAt: isoDate }
    const made = await api.projects.createApiKey('svc-local', { note: 'for the test' })
    const { secretKey: shownSecret, ...summary } = made
    expect(summary).toEqual({
      id: expect.any(String),
      publicKey: expect.stringMatching(/^pk-svc-/),
      displaySecretKey: `…${shownSecret.slice(-4)}`,
      note: 'for the test',
      createdAt: isoDate,
    })
    expect(await api.projects.getApiKeys('svc-local')).toEqual({ apiKeys: [started, summary] })
    const withKeys = (keys: { publicKey: string; secretKey: string }) => bench.client(keys).api.projects.get()
    expect((await withKeys(made)).data).toHaveLength(1)
    expect((await refusal(withKeys({ ...made, secretKey: 'sk-wrong' }))).status).toBe(401)
    expect(await api.projects.deleteApiKey('svc-local', made.id)).toEqual({ success: true })
    expect((await refusal(withKeys(made))).status).toBe(401)
    const other = await api.projects.create({ name: 'empty', retention: 0 })
    const foreign = await api.projects.createApiKey(other.id, { publicKey: 'pk-own', secretKey: 'sk-own' })
    expect(await refusal(withKeys(foreign))).toMatchObject({
      status: 403,
      text: expect.stringContaining('one project'),
    })
    await api.projects.delete(other.id)
    expect((await refusal(withKeys(foreign))).status).toBe(401)
  })

  it('is refused if it is unknown, has a duplicate name, or is the one with the data', async () => {
    const create = (name: string, retention = 0) => api.projects.create({ name, retention })
    expect(await refusal(api.projects.update('none', { name: 'n' }))).toEqual(missing('none'))
    expect(await refusal(create('local'))).toEqual(refused('another project has this name'))
    expect(await refusal(create('short', 1))).toEqual(refused('expected 0 or at least 3 days'))
    expect(await refusal(api.projects.delete('svc-local'))).toEqual(refused('cannot be deleted'))
    expect(await refusal(api.projects.deleteApiKey('svc-local', 'started'))).toEqual(refused('stay'))
    expect(await refusal(api.projects.deleteApiKey('svc-local', 'none'))).toEqual(missing('none'))
    const half = { publicKey: 'pk-half' }
    expect(await refusal(api.projects.createApiKey('svc-local', half))).toEqual(refused('send publicKey and secretKey'))
    const own = { publicKey: bench.local.publicKey, secretKey: 's' }
    expect(await refusal(api.projects.createApiKey('svc-local', own))).toEqual(refused('with this public key already'))
  })
})

it('a database file keeps models, configs, comments, queues and projects', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-kept-'))
  const db = join(folder, 'kept.db')
  const first = await startLocal({ db })
  const clientOf = ({ publicKey, secretKey, url }: typeof first) =>
    new SvcClient({ publicKey, secretKey, baseUrl: url }).api
  const before = clientOf(first)
  const model = await before.models.create({ modelName: 'm', matchPattern: 'm', inputPrice: 1 })
  const config = await before.scoreConfigs.create({ name: 'c', dataType: 'TEXT' })
  const { id } = await before.comments.create({
    projectId: 'svc-local',
    objectType: 'PROMPT',
    objectId: 'p',
    content: 'c',
  })
  const queue = await before.annotationQueues.createQueue({ name: 'q', scoreConfigIds: [config.id] })
  const project = await before.projects.create({ name: 'p', retention: 0 })
  await first.close()
  const second = await startLocal({ db })
  const after = clientOf(second)
  expect(await after.models.get(model.id)).toEqual(model)
  expect(await after.scoreConfigs.getById(config.id)).toEqual(config)
  expect(await after.comments.getById(id)).toMatchObject({ content: 'c' })
  expect(await after.annotationQueues.getQueue(queue.id)).toEqual(queue)
  expect((await after.projects.get()).data[1]).toEqual(project)
  await second.close()
  rmSync(folder, { recursive: true, force: true })
})
