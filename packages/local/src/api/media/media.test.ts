import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, refused } from '../../../test/support/api.ts'
import { type LocalService, startLocal } from '../../index.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
})
afterAll(() => local.close())

const ask = (request: `${string} ${string}`, body?: unknown) => call(local, request, body)
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64')
const request = (bytes: Buffer, more: object = {}) => ({
  contentType: 'image/png',
  contentLength: bytes.length,
  sha256Hash: hash(bytes),
  field: 'input',
  traceId: 'a'.repeat(32),
  ...more,
})
const put = (url: string, body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', body, headers: { 'content-type': 'image/png', ...headers } })

it('media is registered, uploaded to the URL, reported, and downloaded', async () => {
  const bytes = randomBytes(100)
  const { status, body } = await ask('POST /media', request(bytes))
  const id = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  expect([status, body]).toEqual([201, { mediaId: id, uploadUrl: expect.stringContaining(`${local.url}/api/media/`) }])
  expect((await ask(`GET /media/${id}`)).status).toBe(404)
  expect((await put(body.uploadUrl, bytes, { 'x-amz-checksum-sha256': hash(bytes) })).status).toBe(200)
  const report = {
    uploadedAt: '2026-01-01T00:00:00.000Z',
    uploadHttpStatus: 200,
    uploadHttpError: null,
    uploadTimeMs: 3,
  }
  const patched = await ask(`PATCH /media/${id}`, report)
  expect([patched.status, patched.body]).toEqual([200, undefined])
  const media = (await ask(`GET /media/${id}`)).body
  expect(media).toEqual({
    mediaId: id,
    contentType: 'image/png',
    contentLength: 100,
    uploadedAt: report.uploadedAt,
    url: expect.any(String),
    urlExpiry: expect.any(String),
  })
  const got = await fetch(media.url)
  expect(Buffer.from(await got.arrayBuffer())).toEqual(bytes)
  expect(got.headers.get('content-type')).toBe('image/png')
  expect(got.headers.get('content-security-policy')).toContain('sandbox')
})

it('media that is stored already needs no upload URL', async () => {
  const bytes = randomBytes(10)
  await put((await ask('POST /media', request(bytes))).body.uploadUrl, bytes)
  expect((await ask('POST /media', request(bytes))).body).toMatchObject({ uploadUrl: null })
})

describe('a media registration is refused', () => {
  it.each([
    [{ contentType: 'image/nothing' }, 'contentType'],
    [{ contentLength: 0 }, 'contentLength'],
    [{ contentLength: 65 * 1024 * 1024 }, 'contentLength'],
    [{ contentLength: 1.5 }, 'contentLength'],
    [{ sha256Hash: 'short' }, 'sha256Hash'],
    [{ field: 'somewhere' }, 'field'],
    [{ traceId: 5 }, 'traceId'],
  ])('with %j', async (more, field) => {
    expect(await ask('POST /media', request(randomBytes(3), more))).toMatchObject(refused(field, expect.any(String)))
  })
})

describe('a media upload is refused', () => {
  const bytes = Buffer.from('these')
  const url = async () => String((await ask('POST /media', request(bytes))).body.uploadUrl)

  it.each([
    ['of other bytes', Buffer.from('those'), {}, 'The bytes have another hash'],
    ['of fewer bytes', Buffer.from('the'), {}, 'Got 3 bytes, 5 were announced'],
    ['of another content type', bytes, { 'content-type': 'text/plain' }, /^The Content-Type is not image\/png/],
    ['with another checksum', bytes, { 'x-amz-checksum-sha256': 'x' }, /^x-amz-checksum-sha256/],
  ])('%s', async (_, sent, headers, message) => {
    const response = await put(await url(), sent, headers)
    const { message: reason } = (await response.json()) as { message: string }
    expect([response.status, reason]).toEqual([400, expect.stringMatching(message)])
  })

  it('to a URL that was not signed by this service, or for another file', async () => {
    const signed = await url()
    const statuses = [
      await put(signed.replace(/signature=./, 'signature='), bytes),
      await put(signed.replace(/expires=\d/, 'expires=9'), bytes),
      await put(`${local.url}/api/media/${'x'.repeat(22)}`, bytes),
      await fetch(signed),
    ].map(({ status }) => status)
    expect(statuses).toEqual([403, 403, 403, 403])
  })
})

it.each([
  ['GET /media/unknown', undefined],
  ['PATCH /media/unknown', { uploadedAt: '2026-01-01T00:00:00Z', uploadHttpStatus: 200 }],
] as const)('the media %s is not found', async (request, body) => {
  expect(await ask(request, body)).toMatchObject({ status: 404 })
})

it('a media upload report without date and status is refused', async () => {
  const { body } = await ask('PATCH /media/unknown', {})
  expect(body.error.map(({ path }: { path: string[] }) => path[0])).toEqual(['uploadedAt', 'uploadHttpStatus'])
})

it('a dataset item lists its media references with the URLs of the files', async () => {
  const bytes = randomBytes(7)
  const { mediaId, uploadUrl } = (await ask('POST /media', request(bytes))).body
  const tag = `@@@svcMedia:type=image/png|id=${mediaId}|source=bytes@@@`
  await ask('POST /v2/datasets', { name: 'pictures' })
  const input = { "it's": [{ picture: tag }, `text ${tag}`, '@@@svcMedia:type=image/png|id=unknown|source=bytes@@@'] }
  const item = { datasetName: 'pictures', id: 'one', input, metadata: tag }
  expect((await ask('POST /dataset-items', item)).body.mediaReferences).toEqual([])
  await put(uploadUrl, bytes)
  const { mediaReferences } = (await ask('GET /dataset-items/one')).body
  const reference = { referenceString: tag, media: expect.objectContaining({ mediaId, contentLength: 7 }) }
  expect(mediaReferences).toEqual([
    { field: 'input', jsonPath: "$['it's'][0]['picture']", ...reference },
    { field: 'metadata', jsonPath: '$', ...reference },
  ])
  expect((await fetch(mediaReferences[0].media.url)).status).toBe(200)
})
