import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { mediaOf, tagOf } from './media.ts'

const bytes = Buffer.from([0xfb, 0xff, 1, 2, 3, 4, 5])
const embedded = { start: 0, end: 0, contentType: 'image/png', source: 'base64_data_uri' } as const

it('a media id is the beginning of the URL-safe SHA-256 of the bytes, in any base64 alphabet', async () => {
  const sha256 = createHash('sha256').update(bytes)
  const id = sha256.copy().digest('base64url').slice(0, 22)
  const expected = { id, contentType: 'image/png', bytes: new Uint8Array(bytes), sha256: sha256.digest('base64') }
  expect(await mediaOf({ ...embedded, base64: bytes.toString('base64') })).toEqual(expected)
  expect(await mediaOf({ ...embedded, base64: bytes.toString('base64url') })).toEqual(expected)
})

it('a media tag has type, id and source', async () => {
  const media = await mediaOf({ ...embedded, base64: 'AAAA' })
  expect(media && tagOf(media, 'bytes')).toBe('@@@svcMedia:type=image/png|id=cJ6AyISHokEeHuTfufIqhh|source=bytes@@@')
})

it('a content type that the service does not store is not media', async () => {
  expect(await mediaOf({ ...embedded, contentType: 'x-world/vrml', base64: 'AAAA' })).toBeUndefined()
})
