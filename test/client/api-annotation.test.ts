import type { SvcClient } from '@svc/client'
import { beforeEach, describe, expect, it } from 'vitest'
import { isoDate, missing, refusal, refused, sendCall, useBench } from './api-support.ts'

const bench = useBench()
let api: SvcClient['api']
beforeEach(() => {
  api = bench.client().api
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
    const texts = ['expected good, bad', 'is for CATEGORICAL scores']
    expect(results).toMatchObject({
      accepted: 2,
      rejected: 2,
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
    const { traceId } = await sendCall(api, 'any', {}, { 'session.id': 'talk' })
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
