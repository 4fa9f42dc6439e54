import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, refused } from '../../../test/support/api.ts'
import { type LocalService, startLocal } from '../../index.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
  for (const name of ['set', 'other', 'paged']) await ask('POST /v2/datasets', { name })
})
afterAll(() => local.close())

const ask = (request: `${string} ${string}`, body?: unknown) => call(local, request, body)
const create = async (item: object) => (await ask('POST /dataset-items', { datasetName: 'set', ...item })).body
const listed = async (query: string) => (await ask(`GET /dataset-items?${query}`)).body

describe('a dataset item in the API', () => {
  it('is created with all its fields, and read by its id', async () => {
    const request = {
      id: 'full',
      input: { q: [1, 'two', null] },
      expectedOutput: 'yes',
      metadata: { by: 'ada' },
      sourceTraceId: 't1',
      sourceObservationId: 'o1',
      status: 'ARCHIVED',
    }
    const body = await create(request)
    expect(body).toEqual({
      ...request,
      datasetId: (await ask('GET /v2/datasets/set')).body.id,
      datasetName: 'set',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      mediaReferences: [],
    })
    expect((await ask('GET /dataset-items/full')).body).toEqual(body)
  })

  it('gets an id if it has none', async () => {
    const { id } = await create({ input: 1 })
    expect(await ask(`GET /dataset-items/${id}`)).toMatchObject({ status: 200, body: { input: 1, status: 'ACTIVE' } })
  })

  it('written again under its id is updated, and omitted fields are kept', async () => {
    const first = await create({ id: 'again', input: 'old', expectedOutput: 'kept', metadata: { a: 1 } })
    const second = await create({ id: 'again', input: 'new', metadata: null })
    expect(second).toMatchObject({ input: 'new', expectedOutput: 'kept', metadata: null, createdAt: first.createdAt })
    expect((await listed('datasetName=set')).data.filter(({ id }: { id: string }) => id === 'again')).toHaveLength(1)
  })

  it('keeps an input of null, false or empty text', async () => {
    for (const input of [null, false, '', 0]) expect(await create({ id: 'falsy', input })).toMatchObject({ input })
  })

  it('of another dataset cannot be written', async () => {
    await create({ id: 'taken' })
    expect(await ask('POST /dataset-items', { datasetName: 'other', id: 'taken' })).toMatchObject(
      refused('id', 'belongs to an item of another dataset, set'),
    )
  })

  it('is deleted once, and may be created again', async () => {
    await create({ id: 'gone', input: 1 })
    expect(await ask('DELETE /dataset-items/gone')).toMatchObject({
      status: 200,
      body: { message: 'Dataset item successfully deleted' },
    })
    expect(await ask('GET /dataset-items/gone')).toMatchObject({ status: 404 })
    expect(await ask('DELETE /dataset-items/gone')).toMatchObject({ status: 404 })
    expect(await create({ id: 'gone' })).toMatchObject({ input: null })
  })

  it.each([
    [{}, 'datasetName'],
    [{ datasetName: 'set', id: '' }, 'id'],
    [{ datasetName: 'set', status: 'LOST' }, 'status'],
  ])('%j is refused', async (body, field) => {
    expect(await ask('POST /dataset-items', body)).toMatchObject(refused(field, expect.any(String)))
  })

  it('of an unknown dataset responds with 404', async () => {
    expect(await ask('POST /dataset-items', { datasetName: 'nothing' })).toMatchObject({ status: 404 })
    expect(await ask('GET /dataset-items?datasetName=nothing')).toMatchObject({ status: 404 })
  })
})

describe('dataset items in the API', () => {
  it('are listed in pages, in the order in which they were created, also after changes', async () => {
    for (let at = 0; at < 5; at += 1) {
      await ask('POST /dataset-items', { datasetName: 'paged', id: `item ${at}`, input: at })
    }
    await ask('POST /dataset-items', { datasetName: 'paged', id: 'item 0', input: 'changed' })
    const pages = await Promise.all([1, 2, 3].map((page) => listed(`datasetName=paged&limit=2&page=${page}`)))
    const inputs = pages.flatMap(({ data }) => data).map(({ input }) => input)
    expect(inputs).toEqual(['changed', 1, 2, 3, 4])
    expect(pages[0].meta).toEqual({ page: 1, limit: 2, totalItems: 5, totalPages: 3 })
  })

  it('can be filtered by their source', async () => {
    await create({ id: 'sourced', sourceTraceId: 't2', sourceObservationId: 'o2' })
    expect((await listed('sourceTraceId=t2&sourceObservationId=o2')).data).toMatchObject([{ id: 'sourced' }])
    expect((await listed('sourceTraceId=t3')).data).toEqual([])
  })

  it('can be read at an earlier version', async () => {
    const fresh = await startLocal()
    const write = async (item: object) => (await call(fresh, 'POST /dataset-items', { datasetName: 'v', ...item })).body
    const inputsAt = async (version: string) =>
      (await call(fresh, `GET /dataset-items?datasetName=v&version=${version}`)).body.data.map(
        ({ input }: { input: unknown }) => input,
      )
    await call(fresh, 'POST /v2/datasets', { name: 'v' })
    const first = await write({ id: 'a', input: 1 })
    const second = await write({ id: 'a', input: 2 })
    const third = await write({ id: 'b', input: 3 })
    await call(fresh, 'DELETE /dataset-items/a')
    expect(await inputsAt('2020-01-01T00:00:00Z')).toEqual([])
    expect(await inputsAt(first.updatedAt)).toEqual([1])
    expect(await inputsAt(second.updatedAt)).toContain(2)
    expect(await inputsAt(third.updatedAt)).toContain(3)
    expect(await inputsAt('')).toEqual([3])
    await fresh.close()
  })

  it('are refused at a version that is not a date', async () => {
    expect(await ask('GET /dataset-items?version=latest')).toMatchObject(refused('version', expect.any(String)))
  })
})
