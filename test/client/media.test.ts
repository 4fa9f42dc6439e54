import { createHash } from 'node:crypto'
import { MediaManager, SvcMedia, SvcMediaReference } from '@svc/client'
import { beforeEach, describe, expect, it } from 'vitest'
import { useBench } from './api-support.ts'

const bench = useBench()
const TRACE = '0123456789abcdef0123456789abcdef'
const place = { field: 'input', traceId: TRACE }

let before = 0
beforeEach(() => {
  before = bench.local.calls().length
})
const apiCalls = () =>
  bench.local
    .calls()
    .slice(before)
    .map(({ method, path }) => `${method} ${path}`)

/** Media that are not stored yet. */
let made = 0
function picture(bytes = new Uint8Array([137, 80, 78, 71, ++made])) {
  return new SvcMedia({ source: 'bytes', contentBytes: bytes, contentType: 'image/png' })
}

describe('SvcMedia', () => {
  const contentBytes = new Uint8Array([0xfb, 0xff, 1, 2, 3])
  const hash = createHash('sha256').update(contentBytes).digest()
  const uri = `data:image/png;base64,${Buffer.from(contentBytes).toString('base64')}`

  it('has the same id, tag and data URI for any source of the same bytes', async () => {
    const sources = [
      new SvcMedia({ source: 'bytes', contentBytes, contentType: 'image/png' }),
      new SvcMedia({ source: 'bytes', contentBytes, contentType: 'Image/PNG; name=a.png' }),
      new SvcMedia({ source: 'base64_data_uri', base64DataUri: uri }),
      new SvcMedia({ source: 'base64_data_uri', base64DataUri: uri.replace('image/png', 'image/png;name=a.png') }),
    ]
    for (const media of sources) {
      expect(await media.getSha256Hash()).toBe(hash.toString('base64'))
      expect(await media.getId()).toBe(hash.toString('base64url').slice(0, 22))
      expect(media).toMatchObject({ contentType: 'image/png', contentLength: 5, base64DataUri: uri })
      expect(JSON.stringify({ media })).toBe(JSON.stringify({ media: uri }))
    }
    const id = await sources[0]?.getId()
    expect(await Promise.all(sources.map((media) => media.getTag()))).toEqual([
      `@@@svcMedia:type=image/png|id=${id}|source=bytes@@@`,
      `@@@svcMedia:type=image/png|id=${id}|source=bytes@@@`,
      `@@@svcMedia:type=image/png|id=${id}|source=base64_data_uri@@@`,
      `@@@svcMedia:type=image/png|id=${id}|source=base64_data_uri@@@`,
    ])
  })

  it('is not changed by later changes of its bytes', async () => {
    const bytes = new Uint8Array([1])
    const media = picture(bytes)
    bytes[0] = 2
    expect(media.contentBytes).toEqual(new Uint8Array([1]))
  })

  it.each<[what: string, params: unknown]>([
    ['no data URI', { source: 'base64_data_uri', base64DataUri: 'hello' }],
    ['a data URI with more around it', { source: 'base64_data_uri', base64DataUri: `a ${uri}` }],
    ['bytes without a type', { source: 'bytes', contentBytes, contentType: '' }],
    ['a type that is none', { source: 'bytes', contentBytes, contentType: 'image/png|id=other' }],
    ['text for bytes', { source: 'bytes', contentBytes: 'abc', contentType: 'text/plain' }],
    ['nothing', undefined],
  ])('of %s has no content, with a warning and no exception', async (_, params) => {
    const media = new SvcMedia(params as never)
    expect(bench.logged()).toEqual([expect.stringMatching(/^svc: \[ERROR\] SvcMedia has no content: expected /)])
    expect(media).toMatchObject({ contentType: undefined, contentLength: undefined, base64DataUri: undefined })
    expect([await media.getId(), await media.getTag(), await media.getSha256Hash()]).toEqual(Array(3).fill(undefined))
  })
})

describe('a media upload by the client', () => {
  it('stores the bytes, which can be downloaded', async () => {
    const client = bench.client()
    const media = picture()
    await client.media.upload(media, place)
    const id = (await media.getId()) ?? ''
    const stored = await client.api.media.get(id)
    expect(stored).toMatchObject({ mediaId: id, contentType: 'image/png', contentLength: 5 })
    const reference = new SvcMediaReference({ ...stored, referenceString: String(await media.getTag()) })
    expect(await reference.fetchBytes()).toEqual(media.contentBytes)
    expect(await reference.fetchDataUri()).toBe(media.base64DataUri)
    expect(JSON.parse(JSON.stringify({ reference }))).toEqual({ reference: await media.getTag() })
    expect(reference.isUrlExpired()).toBe(false)
    expect(new SvcMediaReference({ ...reference, urlExpiry: '2020-01-01T00:00:00Z' }).isUrlExpired()).toBe(true)
  })

  it('of stored bytes is a single request', async () => {
    const client = bench.client()
    const media = picture()
    await client.media.upload(media, place)
    before = bench.local.calls().length
    await client.media.upload(media, place)
    expect(apiCalls()).toEqual(['POST /api/public/media'])
  })

  it.each<[what: string, media: () => SvcMedia, error: RegExp]>([
    ['an empty file', () => picture(new Uint8Array()), /Media of type image\/png cannot be uploaded: it is empty\./],
    [
      'a type that is not stored',
      () => new SvcMedia({ source: 'bytes', contentBytes: new Uint8Array([1]), contentType: 'x-world/vrml' }),
      /was not uploaded: the service does not store x-world\/vrml\./,
    ],
    ['nothing', () => new SvcMedia({} as never), /Media without content cannot be uploaded\./],
  ])('of %s is refused before anything is sent', async (_, media, error) => {
    await expect(bench.client().media.upload(media(), place)).rejects.toThrow(error)
    expect(apiCalls()).toEqual([])
  })

  it('of a file too large for the service is rejected with the reason', async () => {
    bench.local.respond('POST /api/public/media', { status: 413, body: { message: 'at most 1 MB' } })
    await expect(bench.client().media.upload(picture(), place)).rejects.toThrow(
      /^Media \S+ \(image\/png, 5 bytes\) was not uploaded: POST \/api\/public\/media answered 413: .*at most 1 MB/,
    )
  })

  it('of a file too large for the storage is rejected with the reason, and reported to the service', async () => {
    const media = picture()
    const refused = bench.local.respond('PUT /api/media/{mediaId}', { status: 413, body: 'no' })
    await expect(bench.client().media.upload(media, place)).rejects.toThrow(
      /it is too large for the storage \(413\)\.$/,
    )
    expect(refused.count()).toBe(1)
    const report = bench.local.calls().at(-1)
    expect(report).toMatchObject({ method: 'PATCH', body: { uploadHttpStatus: 413, uploadHttpError: 'no' } })
  })

  it('is refused if the service returns another id', async () => {
    const answer = { mediaId: 'other', uploadUrl: `${bench.local.url}/api/media/other` }
    bench.local.respond('POST /api/public/media', { status: 201, body: answer })
    await expect(bench.client().media.upload(picture(), place)).rejects.toThrow(
      /the service returned another id, other\.$/,
    )
    expect(apiCalls()).toEqual(['POST /api/public/media'])
  })
})

describe('media references', () => {
  const stored = async () => {
    const media = picture()
    await bench.client().media.upload(media, place)
    return { tag: String(await media.getTag()), uri: String(media.base64DataUri) }
  }

  it('are replaced by data URIs in a copy, at any place, and fetched once each', async () => {
    const [a, b] = [await stored(), await stored()]
    before = bench.local.calls().length
    const date = new Date()
    const obj = { text: `see ${a.tag} and ${b.tag}`, list: [{ image: a.tag }], date, none: null, n: 1 }
    const resolved = await bench.client().media.resolveReferences({ obj, resolveWith: 'base64DataUri' })
    expect(resolved).toEqual({ text: `see ${a.uri} and ${b.uri}`, list: [{ image: a.uri }], date, none: null, n: 1 })
    expect(obj.list[0]?.image).toBe(a.tag)
    expect(apiCalls().filter((call) => call.startsWith('GET /api/public/media/'))).toHaveLength(2)
    expect(apiCalls()).toHaveLength(4)
  })

  it('stay unchanged beyond the depth limit and in circular values', async () => {
    const { tag, uri } = await stored()
    const obj: Record<string, unknown> = { near: tag, deep: { deeper: { deepest: tag } } }
    obj.self = obj
    const resolved = await bench.client().media.resolveReferences({ obj, resolveWith: 'base64DataUri', maxDepth: 2 })
    expect(resolved).toMatchObject({ near: uri, deep: { deeper: { deepest: tag } } })
    expect(resolved.self).toBe(obj)
  })

  it('stay unchanged with a warning if they cannot be fetched', async () => {
    const tag = '@@@svcMedia:type=image/png|id=unknown|source=bytes@@@'
    const obj = [tag, '@@@svcMedia:nonsense@@@']
    expect(await bench.client().media.resolveReferences({ obj, resolveWith: 'base64DataUri' })).toEqual(obj)
    const lines = bench.logged().toSorted()
    expect(lines).toEqual([
      expect.stringMatching(
        /A media reference is not resolved, because its media cannot be fetched: A media reference has/,
      ),
      expect.stringMatching(
        /A media reference is not resolved, because its media cannot be fetched: GET .* answered 404/,
      ),
    ])
  })

  it('are parsed into their fields', () => {
    const read = MediaManager.parseReferenceString('@@@svcMedia:type=image/png|id=abc=|source=bytes@@@')
    expect(read).toEqual({ mediaId: 'abc=', contentType: 'image/png', source: 'bytes' })
  })

  it.each([
    ['media:type=image/png|id=a|source=bytes@@@', /begins with @@@svcMedia:/],
    ['@@@svcMedia:type=image/png|id=a|source=bytes', /ends with @@@/],
    ['@@@svcMedia:@@', /ends with @@@/],
    ['@@@svcMedia:type=image/png|source=bytes@@@', /has type, id and source/],
    [undefined, /begins with/],
  ])('are not recognized in %j', (text, error) => {
    expect(() => MediaManager.parseReferenceString(text as string)).toThrow(error)
  })
})
