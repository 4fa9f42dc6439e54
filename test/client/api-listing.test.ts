import { SvcPageError } from '@svc/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { useBench } from './api-support.ts'

const bench = useBench()

const traceId = (n: number) => n.toString(16).padStart(32, '0')
const ITEMS = 'GET /api/public/dataset-items'
const SCORES = 'GET /api/public/v3/scores'

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** What was delivered before it broke, and how it did. */
async function broken<Item>(items: AsyncIterable<Item>): Promise<{ delivered: Item[]; error: SvcPageError }> {
  const delivered: Item[] = []
  try {
    for await (const item of items) delivered.push(item)
  } catch (error) {
    expect(error).toBeInstanceOf(SvcPageError)
    return { delivered, error: error as SvcPageError }
  }
  throw new Error('it went to its end')
}

const page = (number: number, totalPages: number, ...names: string[]) => ({
  status: 200,
  body: { data: names, meta: { page: number, limit: 2, totalItems: 5, totalPages } },
})
const cursorPage = (cursor: unknown, ...names: string[]) => ({ status: 200, body: { data: names, meta: { cursor } } })

describe('for await iterates over all pages of a listing:', () => {
  beforeAll(async () => {
    const { api } = bench.client()
    await api.datasets.create({ name: 'many' })
    for (let n = 0; n < 7; n++) await api.datasetItems.create({ datasetName: 'many', id: `item-${n}`, input: n })
    await api.scores.create(Array.from({ length: 7 }, (_, n) => ({ name: `s${n}`, value: n, traceId: traceId(n + 1) })))
  })

  it('by number', async () => {
    const items = await all(bench.client().api.datasetItems.list({ datasetName: 'many', limit: 3 }))
    expect(items.map(({ id }) => id).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `item-${n}`))
  })

  it('by cursor', async () => {
    const calls = bench.local.calls().length
    const scores = await all(bench.client().api.scores.getMany({ limit: 3, fields: 'details' }))
    expect(scores.map(({ name }) => name).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `s${n}`))
    const listCalls = bench.local.calls().slice(calls)
    expect(listCalls).toHaveLength(3)
    expect(listCalls.every(({ query }) => query.limit === '3' && query.fields === 'details')).toBe(true)
  })

  it('requesting no more pages than are read', async () => {
    const calls = bench.local.calls().length
    for await (const item of bench.client().api.datasetItems.list({ datasetName: 'many', limit: 3 })) {
      expect(item.datasetName).toBe('many')
      break
    }
    expect(bench.local.calls()).toHaveLength(calls + 1)
  })
})

describe('an API listing', () => {
  it('is the first page if it is awaited', async () => {
    const call = bench.client().api.datasetItems.list({ datasetName: 'many', limit: 2 })
    expect(await call).toMatchObject({ data: [{}, {}], meta: { page: 1, totalPages: 4 } })
  })

  it('requests its first page once, awaited or not', async () => {
    const calls = bench.local.calls().length
    const call = bench.client().api.datasetItems.list({ datasetName: 'many' })
    await call
    expect(await all(call)).toHaveLength(7)
    expect(bench.local.calls()).toHaveLength(calls + 1)
  })

  it('continues from the given page or cursor', async () => {
    const items = await all(bench.client().api.datasetItems.list({ datasetName: 'many', limit: 3, page: 3 }))
    expect(items).toHaveLength(1)
  })

  it.each([null, undefined, ''])('ends at a cursor that is %j', async (cursor) => {
    bench.local.respond(SCORES, cursorPage(cursor, 'a'))
    expect(await all(bench.client().api.scores.getMany())).toEqual(['a'])
  })

  it('uses its request options for every page', async () => {
    bench.local.respond(ITEMS, page(1, 2, 'a'))
    bench.local.respond(ITEMS, page(2, 2, 'b'))
    const options = { headers: { 'x-asked-by': 'a listing' } }
    expect(await all(bench.client().api.datasetItems.list({}, options))).toEqual(['a', 'b'])
    const listCalls = bench.local.calls().slice(-2)
    expect(listCalls.map(({ query, headers }) => [query.page, headers['x-asked-by']])).toEqual([
      [undefined, 'a listing'],
      ['2', 'a listing'],
    ])
  })
})

describe('a missing page of a listing is an error after the items before it:', () => {
  it('if it is refused', async () => {
    bench.local.respond(SCORES, cursorPage('next', 'a', 'b'))
    bench.local.respond(SCORES, { status: 404, body: { message: 'no such cursor' } })
    const { delivered, error } = await broken(bench.client().api.scores.getMany())
    expect(delivered).toEqual(['a', 'b'])
    expect(error).toMatchObject({ statusCode: 404, body: { message: 'no such cursor' } })
    expect(error.message).toBe(
      'GET /api/public/v3/scores stopped after 1 page and 2 items: the next page is gone (GET /api/public/v3/scores ' +
        'answered 404: {"message":"no such cursor"}). List again from the start.',
    )
  })

  it('if it is empty, although the previous page announced more', async () => {
    bench.local.respond(ITEMS, page(1, 3, 'a', 'b'))
    bench.local.respond(ITEMS, page(2, 1))
    const { delivered, error } = await broken(bench.client().api.datasetItems.list())
    expect(delivered).toEqual(['a', 'b'])
    expect(error.message).toMatch(/after 1 page and 2 items: the next page is empty/)
  })

  it('if its cursor repeats', async () => {
    bench.local.respond(SCORES, { ...cursorPage('again', 'a'), times: Number.POSITIVE_INFINITY })
    const { delivered, error } = await broken(bench.client().api.scores.getMany())
    expect(delivered).toEqual(['a', 'a'])
    expect(error.message).toMatch(/after 2 pages and 2 items: the cursor of the next page was used before/)
  })

  it('if it is not a page', async () => {
    const client = bench.client()
    const planned = bench.local.respond('GET /api/public/v2/datasets', { status: 200, body: { hello: 'there' } })
    const { error } = await broken(client.api.datasets.list())
    expect(error.message).toMatch(/answered with an invalid page/)
    expect(planned.count()).toBe(1)
  })

  it('unlike a service error, which is reported as such', async () => {
    bench.local.respond(ITEMS, page(1, 2, 'a'))
    bench.local.respond(ITEMS, { status: 500, body: {} })
    const call = all(bench.client().api.datasetItems.list({}, { maxRetries: 0 }))
    await expect(call).rejects.toMatchObject({ name: 'InternalServerError' })
  })
})
