import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, refused } from '../../../test/support/api.ts'
import { type LocalService, startLocal } from '../../index.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
})
afterAll(() => local.close())

const ask = (request: `${string} ${string}`, body?: unknown) => call(local, request, body)
const create = (prompt: object) => ask('POST /v2/prompts', prompt)
const labels = async (version: number) => (await ask(`GET /v2/prompts/greeting?version=${version}`)).body.labels

describe('creating a prompt', () => {
  it('returns version 1 for a text prompt, and moves the label latest to the newest version', async () => {
    const request = {
      name: 'text',
      prompt: 'Hello {{name}}',
      labels: ['production'],
      tags: ['a'],
      commitMessage: 'first',
    }
    const { status, body } = await create({ ...request, config: { temperature: 1 } })
    expect([status, body]).toEqual([
      200,
      {
        ...request,
        version: 1,
        type: 'text',
        config: { temperature: 1 },
        labels: ['production', 'latest'],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
  })

  it('keeps messages and placeholders of a chat prompt', async () => {
    const prompt = [
      { role: 'system', content: 'Be kind' },
      { type: 'chatmessage', role: 'user', content: '{{question}}' },
      { type: 'placeholder', name: 'history' },
    ]
    expect((await create({ name: 'chat', type: 'chat', prompt })).body).toMatchObject({
      type: 'chat',
      prompt,
      config: {},
    })
  })

  it.each([
    [{ prompt: 'x' }, 'name'],
    [{ name: 'x' }, 'prompt'],
    [{ name: 'x', prompt: [] }, 'prompt'],
    [{ name: 'x', type: 'chat', prompt: 'x' }, 'prompt'],
    [{ name: 'x', type: 'chat', prompt: [{ role: 'user' }] }, 'prompt'],
    [{ name: 'x', type: 'chat', prompt: [{ type: 'placeholder' }] }, 'prompt'],
    [{ name: 'x', type: 'image', prompt: 'x' }, 'type'],
    [{ name: 'x', prompt: 'x', labels: 'production' }, 'labels'],
    [{ name: 'x', prompt: 'x', tags: [1] }, 'tags'],
  ])('%j is refused', async (body, field) => {
    expect(await create(body)).toMatchObject(refused(field, expect.any(String)))
  })

  it('refuses a chat prompt under the name of a text prompt', async () => {
    await create({ name: 'typed', prompt: 'x' })
    expect(await create({ name: 'typed', type: 'chat', prompt: [] })).toMatchObject(
      refused('type', 'the earlier versions are text prompts: give this one another name'),
    )
  })
})

describe('prompt versions and labels', () => {
  beforeEach(async () => {
    await ask('DELETE /v2/prompts/greeting')
    await create({ name: 'greeting', prompt: 'one', labels: ['production'], tags: ['a'] })
    await create({ name: 'greeting', prompt: 'two', labels: ['staging'] })
    await create({ name: 'greeting', prompt: 'three' })
  })

  it.each([
    ['', 'one'],
    ['?label=production', 'one'],
    ['?label=staging', 'two'],
    ['?label=latest', 'three'],
    ['?version=2', 'two'],
    ['?version=2&resolve=false', 'two'],
  ])('prompts/greeting%s is %s', async (query, prompt) => {
    expect((await ask(`GET /v2/prompts/greeting${query}`)).body.prompt).toBe(prompt)
  })

  it('moving a label leaves the other labels in place', async () => {
    const { status, body } = await ask('PATCH /v2/prompts/greeting/versions/2', { newLabels: ['production'] })
    expect([status, body.labels]).toEqual([200, ['staging', 'production']])
    expect([await labels(1), await labels(3)]).toEqual([[], ['latest']])
    await create({ name: 'greeting', prompt: 'four', labels: ['staging'] })
    expect([await labels(2), await labels(3), await labels(4)]).toEqual([['production'], [], ['staging', 'latest']])
  })

  it('all versions have the tags of the last request with tags', async () => {
    expect((await ask('GET /v2/prompts/greeting?version=3')).body.tags).toEqual(['a'])
    await create({ name: 'greeting', prompt: 'four', tags: ['b'] })
    expect((await ask('GET /v2/prompts/greeting?version=1')).body.tags).toEqual(['b'])
  })

  it('an unknown prompt is named in the response', async () => {
    const message = async (path: string) => (await ask(`GET /v2/prompts/${path}`)).body
    const notFound = (message: string) => ({ message, error: 'SvcNotFoundError' })
    expect(await message('none')).toEqual(notFound("Prompt not found: 'none' with label 'production'"))
    expect(await message('greeting?version=9')).toEqual(notFound("Prompt not found: 'greeting' with version 9"))
    expect(await message('greeting?label=x')).toEqual(notFound("Prompt not found: 'greeting' with label 'x'"))
    expect((await ask('PATCH /v2/prompts/greeting/versions/9', { newLabels: [] })).status).toBe(404)
  })

  it('the label latest cannot be moved', async () => {
    const given = await ask('PATCH /v2/prompts/greeting/versions/1', { newLabels: ['latest'] })
    expect(given).toMatchObject(refused('newLabels', 'the label latest always belongs to the newest version'))
  })

  it.each([
    ['GET /v2/prompts/greeting?version=x', 'version'],
    ['GET /v2/prompts/greeting?version=1&label=production', 'label'],
    ['PATCH /v2/prompts/greeting/versions/one', 'version'],
  ] as const)('%s is refused', async (request, parameter) => {
    const body = request.startsWith('PATCH') ? { newLabels: [] } : undefined
    expect(await ask(request, body)).toMatchObject(refused(parameter, expect.any(String)))
  })

  it('a version, a label or the whole prompt is deleted', async () => {
    expect((await ask('DELETE /v2/prompts/greeting?label=staging')).status).toBe(204)
    expect((await ask('DELETE /v2/prompts/greeting?version=3')).body).toBeUndefined()
    expect(await labels(1)).toEqual(['production', 'latest'])
    expect((await ask('DELETE /v2/prompts/greeting')).status).toBe(204)
    expect((await ask('DELETE /v2/prompts/greeting')).status).toBe(404)
  })
})

it('a name in folders is one segment of the path', async () => {
  await create({ name: 'mails/welcome & more', prompt: 'x', labels: ['production'] })
  expect((await ask('GET /v2/prompts/mails%2Fwelcome%20%26%20more')).body.name).toBe('mails/welcome & more')
  expect((await ask('PATCH /v2/prompts/mails%2Fwelcome%20%26%20more/versions/1', { newLabels: ['a'] })).status).toBe(
    200,
  )
})

describe('the list of prompts', () => {
  it('has one row for each name, with filters and pages', async () => {
    const other = await startLocal()
    const list = async (query: string) => (await call(other, `GET /v2/prompts?${query}`)).body
    await call(other, 'POST /v2/prompts', { name: 'a', prompt: '1', labels: ['production'], config: { n: 1 } })
    await call(other, 'POST /v2/prompts', { name: 'a', prompt: '2', tags: ['t'], config: { n: 2 } })
    await call(other, 'POST /v2/prompts', { name: 'b', type: 'chat', prompt: [] })
    const { data, meta } = await list('name=a')
    expect(data).toEqual([
      {
        name: 'a',
        type: 'text',
        versions: [1, 2],
        labels: ['production', 'latest'],
        tags: ['t'],
        lastUpdatedAt: expect.any(String),
        lastConfig: { n: 2 },
      },
    ])
    expect(meta).toEqual({ page: 1, limit: 50, totalItems: 1, totalPages: 1 })
    const names = async (query: string) => (await list(query)).data.map(({ name }: { name: string }) => name).sort()
    expect(await names('')).toEqual(['a', 'b'])
    expect(await names('tag=t')).toEqual(['a'])
    expect((await list('label=production')).data).toMatchObject([{ name: 'a', versions: [1] }])
    expect(await names('toUpdatedAt=2020-01-01')).toEqual([])
    expect(await names('fromUpdatedAt=2020-01-01')).toEqual(['a', 'b'])
    expect((await list('limit=1&page=2')).data).toHaveLength(1)
    await other.close()
  })
})
