import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, refused } from '../../../test/support/api.ts'
import { type LocalService, startLocal } from '../../index.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
})
afterAll(() => local.close())

const ask = (request: `${string} ${string}`, body?: unknown) => call(local, request, body)

describe('a dataset in the API', () => {
  it('is created with all its fields, and read by its name', async () => {
    const request = {
      name: 'full',
      description: 'd',
      metadata: { a: [1] },
      inputSchema: {},
      expectedOutputSchema: null,
    }
    const { status, body } = await ask('POST /v2/datasets', request)
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        ...request,
        projectId: 'svc-local',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    expect((await ask('GET /v2/datasets/full')).body).toEqual(body)
  })

  it('keeps its id when its name is written again', async () => {
    const first = (await ask('POST /v2/datasets', { name: 'again', description: 'old' })).body
    const second = (await ask('POST /v2/datasets', { name: 'again', description: 'new' })).body
    expect(second).toMatchObject({ id: first.id, createdAt: first.createdAt, description: 'new' })
  })

  it('may have a name with slashes and spaces', async () => {
    await ask('POST /v2/datasets', { name: 'folder/sub set/ü' })
    expect(await ask('GET /v2/datasets/folder%2Fsub%20set%2F%C3%BC')).toMatchObject({ status: 200 })
  })

  it('responds with 404 if it is unknown', async () => {
    expect(await ask('GET /v2/datasets/nothing')).toMatchObject({
      status: 404,
      body: { message: "Dataset not found: 'nothing'", error: 'SvcNotFoundError' },
    })
  })

  it.each([[{}], [{ name: '' }], [{ name: 5 }]])('%j is refused', async (body) => {
    expect(await ask('POST /v2/datasets', body)).toMatchObject(refused('name', 'expected a text that is not empty'))
  })
})

it('datasets are listed in pages, in the order in which they were created', async () => {
  const other = await startLocal()
  for (const name of ['a', 'c', 'b']) await call(other, 'POST /v2/datasets', { name })
  const [first, second] = [
    await call(other, 'GET /v2/datasets?limit=2'),
    await call(other, 'GET /v2/datasets?limit=2&page=2'),
  ]
  const names = [...first.body.data, ...second.body.data].map(({ name }) => name)
  expect(names).toEqual(['a', 'c', 'b'])
  expect(second.body.meta).toEqual({ page: 2, limit: 2, totalItems: 3, totalPages: 2 })
  expect((await call(other, 'GET /v2/datasets?page=9')).body.data).toEqual([])
  await other.close()
})

it.each([
  ['page=0', 'page'],
  ['limit=101', 'limit'],
  ['limit=1.5', 'limit'],
])('a listing with %s is refused', async (query, parameter) => {
  expect(await ask(`GET /v2/datasets?${query}`)).toMatchObject(refused(parameter, expect.any(String)))
})
