import { describe, expect, it, vi } from 'vitest'
import { SvcMedia } from '../media/svc-media.ts'
import { SvcMediaReference } from '../media/svc-media-reference.ts'
import { embedMedia } from './embed.ts'

const picture = new SvcMedia({ source: 'bytes', contentBytes: new Uint8Array([1, 2, 3]), contentType: 'image/png' })
const stored = new SvcMediaReference({
  mediaId: 'm',
  contentType: 'image/png',
  url: 'https://media.example.com/m',
  referenceString: '@@@svcMedia:type=image/png|id=m|source=bytes@@@',
})

describe('media in a dataset item', () => {
  it('become tags at any depth, and stored media become their reference', async () => {
    const tag = await picture.getTag()
    const input = { question: 'what is this?', pages: [{ picture }, stored], other: picture }
    expect(await embedMedia(input)).toEqual({
      value: { question: 'what is this?', pages: [{ picture: tag }, stored.referenceString], other: tag },
      media: [picture, picture],
    })
    expect(input.other).toBe(picture)
  })

  it('leave all other values unchanged', async () => {
    const date = new Date(0)
    const value = { date, map: new Map(), nothing: null, list: [1, 'a'] }
    expect((await embedMedia(value)).value).toEqual(value)
    expect(((await embedMedia(value)).value as typeof value).date).toBe(date)
  })

  it('are found once in a value that contains itself', async () => {
    const cyclic: Record<string, unknown> = { picture }
    cyclic.self = cyclic
    const { value, media } = await embedMedia(cyclic)
    expect(media).toEqual([picture])
    expect(value).toEqual({ picture: await picture.getTag(), self: '[Circular]' })
  })

  it('do not keep what cannot be read from being stored', async () => {
    const proxy = new Proxy({}, { ownKeys: () => Reflect.ownKeys(1 as never) })
    expect((await embedMedia({ picture, proxy })).value).toEqual({ picture: await picture.getTag(), proxy })
  })

  it('are found in one object at two places', async () => {
    const shared = { picture }
    const { value } = await embedMedia({ a: shared, b: shared })
    const tag = await picture.getTag()
    expect(value).toEqual({ a: { picture: tag }, b: { picture: tag } })
  })

  it('are found up to 20 levels deep', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? picture : { inner: nested(levels - 1) })
    expect((await embedMedia(nested(20))).media).toHaveLength(1)
    expect((await embedMedia(nested(21))).media).toHaveLength(0)
  })

  it('that are invalid are rejected', async () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => {})
    const broken = new SvcMedia({ source: 'base64_data_uri', base64DataUri: 'nonsense' })
    await expect(embedMedia({ broken })).rejects.toThrow('a dataset item has media without content or content type')
    silent.mockRestore()
  })
})
