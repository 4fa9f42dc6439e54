import { SvcClient, SvcMedia, SvcMediaReference } from '@svc/client'
import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
import { type LocalService, startLocal } from '@svc/local'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

let local: LocalService
let client: SvcClient
beforeAll(async () => {
  local = await startLocal()
  client = new SvcClient({ publicKey: local.publicKey, secretKey: local.secretKey, baseUrl: local.url, timeout: 60 })
})
afterAll(() => local.close())
afterEach(() => {
  vi.restoreAllMocks()
  resetGlobalLogger()
})

async function datasetOf(name: string, items: number): Promise<void> {
  await client.api.datasets.create({ name })
  for (let at = 0; at < items; at += 1) {
    await client.dataset.createItem({ datasetName: name, id: `${name} ${at}`, input: { at }, expectedOutput: at * 2 })
  }
}

const listings = (name: string) =>
  local.calls().filter(({ path, query }) => path.endsWith('/dataset-items') && query.datasetName === name)

describe('a dataset', () => {
  it('has all of its items, on any number of pages', async () => {
    await datasetOf('pages', 7)
    const dataset = await client.dataset.get<{ at: number }, number>('pages', { fetchItemsPageSize: 3 })
    expect(dataset).toMatchObject({ name: 'pages', id: expect.any(String), version: undefined })
    expect(Array.isArray(dataset.items)).toBe(true)
    expect(dataset.items.map(({ input, expectedOutput }) => [input.at, expectedOutput]).sort()).toEqual(
      Array.from({ length: 7 }, (_, at) => [at, at * 2]),
    )
    expect(listings('pages').map(({ method }) => method)).toEqual(['GET', 'GET', 'GET'])
  })

  it('runs without its archived items, unless asked for them', async () => {
    await datasetOf('archive', 3)
    await client.api.datasetItems.create({
      datasetName: 'archive',
      id: 'archive 1',
      input: { at: 1 },
      status: 'ARCHIVED',
    })
    const lines = vi.spyOn(console, 'info').mockImplementation(() => {})
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const dataset = await client.dataset.get<{ at: number }>('archive')
    expect(dataset.items).toHaveLength(3)
    const ran = async (options: { includeArchived?: boolean }) => {
      const { itemResults } = await dataset.runExperiment({ name: 'x', task: ({ input }) => input.at, ...options })
      return itemResults.map(({ output }) => output).sort()
    }
    expect(await ran({})).toEqual([0, 2])
    expect(String(lines.mock.calls[0]?.[0])).toContain('1 archived of 3 items are left out of the run')
    expect(await ran({ includeArchived: true })).toEqual([0, 1, 2])
  })

  it('may have a name that looks like a path or a query', async () => {
    const name = 'folder/Ünicode & more?x=1#y'
    await datasetOf(name, 1)
    expect(await client.dataset.get(name)).toMatchObject({ name, items: [{ datasetName: name, id: `${name} 0` }] })
  })

  it('may be empty', async () => {
    await datasetOf('empty', 0)
    expect((await client.dataset.get('empty')).items).toEqual([])
  })

  it('that is not there is an error', async () => {
    await expect(client.dataset.get('nowhere')).rejects.toMatchObject({ statusCode: 404 })
  })

  it('can be read at an earlier version', async () => {
    await datasetOf('versions', 1)
    const [item] = (await client.dataset.get('versions')).items
    const version = new Date(item?.updatedAt ?? '')
    await vi.waitUntil(() => Date.now() > version.getTime() + 1, 60_000)
    await client.dataset.createItem({ datasetName: 'versions', id: 'versions 0', input: 'new' })
    await client.dataset.createItem({ datasetName: 'versions', id: 'versions 1', input: 'later' })
    const before = await client.dataset.get('versions', { version })
    expect(before.version).toBe(version)
    expect(before.items.map(({ input }) => input)).toEqual([{ at: 0 }])
    const asText = await client.dataset.get('versions', { version: version.toISOString() })
    expect([asText.items.length, asText.version]).toEqual([1, version.toISOString()])
    expect((await client.dataset.get('versions')).items).toHaveLength(2)
    await expect(client.dataset.get('versions', { version: 'soon' })).rejects.toThrow('a Date or an ISO string')
  })

  it('with a missing page is an error, never a partial dataset', async () => {
    await datasetOf('disappearing', 4)
    const planned = local.respond('GET /api/public/dataset-items', {
      status: 200,
      body: { data: [], meta: { page: 1, limit: 2, totalItems: 4, totalPages: 2 } },
      times: 1,
    })
    const gone = local.respond('GET /api/public/dataset-items', { status: 404, body: { message: 'gone' }, times: 1 })
    await expect(client.dataset.get('disappearing', { fetchItemsPageSize: 2 })).rejects.toMatchObject({
      name: 'SvcPageError',
    })
    planned.stop()
    gone.stop()
  })

  it('that changes while it is read has each item once, with a warning about missing ones', async () => {
    await datasetOf('changing', 1)
    const item = (id: string) => ({ id, input: id, mediaReferences: [] })
    const meta = { limit: 2, totalItems: 4, totalPages: 2 }
    const first = local.respond('GET /api/public/dataset-items', {
      status: 200,
      body: { data: [item('a'), item('b')], meta: { page: 1, ...meta } },
      times: 1,
    })
    const second = local.respond('GET /api/public/dataset-items', {
      status: 200,
      body: { data: [item('b'), item('c')], meta: { page: 2, ...meta } },
      times: 1,
    })
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    configureGlobalLogger({ level: LogLevel.WARN, prefix: 'svc:', enableTimestamp: false })
    const { items } = await client.dataset.get('changing', { fetchItemsPageSize: 2 })
    expect(items.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(warned.mock.calls).toEqual([
      [
        'svc: [WARN] dataset "changing" changed while it was read: 3 of 4 items were read. ' +
          'Read it again, or read a version: dataset.get(name, { version }).',
      ],
    ])
    first.stop()
    second.stop()
  })

  it.each([0, -1, 1.5, 'many'])('fetchItemsPageSize %s is ignored with a warning', async (size) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    configureGlobalLogger({ level: LogLevel.WARN })
    await client.dataset.get('empty', { fetchItemsPageSize: size as number })
    expect(listings('empty').at(-1)?.query).toMatchObject({ limit: '50' })
    expect(warned).toHaveBeenCalledTimes(1)
  })
})

describe('a new dataset item', () => {
  it('with the same id replaces the old one, so that a retry creates no second one', async () => {
    await datasetOf('upsert', 0)
    await client.dataset.createItem({ datasetName: 'upsert', id: 'one', input: 1 })
    await client.dataset.createItem({ datasetName: 'upsert', id: 'one', input: 2, metadata: { by: 'Ada' } })
    expect((await client.dataset.get('upsert')).items).toMatchObject([{ id: 'one', input: 2, metadata: { by: 'Ada' } }])
  })

  it('without an id gets one before it is sent, so that a retry of the request is safe', async () => {
    await datasetOf('retry', 0)
    const busy = local.respond('POST /api/public/dataset-items', {
      status: 503,
      headers: { 'retry-after': '0.01' },
    })
    const created = await client.dataset.createItem({ datasetName: 'retry', input: 1 })
    expect(created.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(busy.count()).toBe(1)
    const bodies = local.calls().filter(({ method, path }) => method === 'POST' && path.endsWith('/dataset-items'))
    expect(bodies.slice(-2).map(({ body }) => (body as { id: string }).id)).toEqual([created.id, created.id])
  })

  it('distinguishes null from undefined', async () => {
    await datasetOf('nothing', 0)
    await client.dataset.createItem({ datasetName: 'nothing', id: 'a', input: null })
    const [call] = local.calls().slice(-1)
    expect(call?.body).toEqual({ datasetName: 'nothing', id: 'a', input: null })
  })

  it('with media uploads each file once, and is returned with references that can be fetched', async () => {
    await datasetOf('media', 0)
    const bytes = new Uint8Array([137, 80, 78, 71])
    const picture = new SvcMedia({ source: 'bytes', contentBytes: bytes, contentType: 'image/png' })
    await client.dataset.createItem({
      datasetName: 'media',
      id: 'pictures',
      input: { question: 'what is this?', picture },
      expectedOutput: [picture],
    })
    const uploads = local.calls().filter(({ method, path }) => method === 'POST' && path.endsWith('/media'))
    expect(uploads).toHaveLength(1)
    const [item] = (await client.dataset.get<{ picture: SvcMediaReference }>('media')).items
    expect(item?.input.picture).toBeInstanceOf(SvcMediaReference)
    expect(await item?.input.picture.fetchBytes()).toEqual(bytes)
    expect(JSON.stringify(item?.input)).toContain('"@@@svcMedia:type=image/png|id=')
  })

  it('with media under any keys is returned with references there', async () => {
    await datasetOf('keys', 0)
    const picture = new SvcMedia({ source: 'bytes', contentBytes: new Uint8Array([7]), contentType: 'image/png' })
    const keys = ["it's", 'a\\b', "x']['y", '[0]', '', 'b.c']
    const input = Object.fromEntries(keys.map((key) => [key, { [key]: [picture] }]))
    await client.dataset.createItem({ datasetName: 'keys', id: 'keys', input })
    const [item] = (await client.dataset.get('keys')).items
    expect(keys.filter((key) => !(item?.input[key][key][0] instanceof SvcMediaReference))).toEqual([])
  })

  it('with a stored image only refers to it', async () => {
    await datasetOf('again', 0)
    const [{ input }] = (await client.dataset.get<{ picture: SvcMediaReference }>('media')).items as [never]
    const uploads = local.calls().length
    await client.dataset.createItem({ datasetName: 'again', id: 'copy', input })
    expect(
      local
        .calls()
        .slice(uploads)
        .map(({ path }) => path),
    ).toEqual(['/api/public/dataset-items'])
    expect((await client.dataset.get<{ picture: unknown }>('again')).items[0]?.input.picture).toBeInstanceOf(
      SvcMediaReference,
    )
  })

  it.each([
    ['without content', { source: 'base64_data_uri', base64DataUri: 'nonsense' } as const],
    ['that is empty', { source: 'bytes', contentBytes: new Uint8Array(), contentType: 'image/png' } as const],
    [
      'of no known type',
      { source: 'bytes', contentBytes: new Uint8Array([1]), contentType: 'image/nonsense' } as const,
    ],
  ])('with media %s is not created', async (_, params) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await datasetOf(`bad ${_}`, 0)
    const input = new SvcMedia(params)
    await expect(client.dataset.createItem({ datasetName: `bad ${_}`, input })).rejects.toThrow(/media/i)
    expect((await client.dataset.get(`bad ${_}`)).items).toEqual([])
  })

  it('keeps its values, where JSON has nothing like them: errors, cycles, bigints, traps', async () => {
    await datasetOf('odd', 0)
    const metadata: Record<string, unknown> = { error: new Error('m'), big: 10n }
    metadata.self = metadata
    const input = {
      get broken() {
        throw new Error('not now')
      },
      fine: 1,
    }
    await client.dataset.createItem({ datasetName: 'odd', input, metadata })
    const [item] = (await client.dataset.get('odd')).items
    expect(item).toMatchObject({
      input: { broken: '[Throws: not now]', fine: 1 },
      metadata: { error: { name: 'Error', message: 'm' }, big: 10 },
    })
  })

  it('of a dataset that is not there is an error', async () => {
    await expect(client.dataset.createItem({ datasetName: 'nowhere', input: 1 })).rejects.toMatchObject({
      statusCode: 404,
    })
  })
})

describe('a failing service', () => {
  const path = 'GET /api/public/dataset-items'

  it.each([
    ['refuses the keys', { status: 401, body: { message: 'Invalid credentials' } }, { statusCode: 401 }],
    ['fails', { status: 500, headers: { 'retry-after': '0.01' }, times: 3 }, { statusCode: 500 }],
    ['has too much to do', { status: 429, headers: { 'retry-after': '0.01' }, times: 3 }, { statusCode: 429 }],
    ['talks nonsense', { status: 200, body: '{"data": [' }, { name: 'SvcAPIError' }],
    ['answers with something else', { status: 200, body: { data: 'nothing' } }, { name: 'SvcPageError' }],
    ['hangs up', { drop: true }, { name: 'SvcAPIError' }],
  ])('makes reading a dataset reject: %s', async (_, reply, expected) => {
    const planned = local.respond(path, reply)
    await expect(client.dataset.get('empty')).rejects.toMatchObject(expected)
    planned.stop()
  })

  it('receives retries if they can succeed', async () => {
    const busy = local.respond(path, { status: 429, headers: { 'retry-after': '0.01' }, times: 2 })
    expect((await client.dataset.get('empty')).items).toEqual([])
    expect(busy.count()).toBe(2)
  })

  it('that hangs makes reading a dataset reject after the client timeout', async () => {
    const hanging = local.respond(path, { until: new Promise(() => {}) })
    const { publicKey, secretKey, url: baseUrl } = local
    const impatient = new SvcClient({ publicKey, secretKey, baseUrl, timeout: 0.2 })
    await expect(impatient.dataset.get('empty')).rejects.toMatchObject({ name: 'SvcAPITimeoutError' })
    hanging.stop()
  })
})
