import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { compress, compressNow, decompress } from './compress.ts'

const body = new TextEncoder().encode('the same again and again '.repeat(100))

afterEach(() => void vi.unstubAllGlobals())

it.each(['zlib', 'stream'] as const)('%s makes gzip that is smaller', async (how) => {
  const packed = (await compress(body, how)) as Uint8Array
  expect(packed.length).toBeLessThan(body.length / 5)
  expect(new Uint8Array(gunzipSync(packed))).toEqual(body)
})

it('none leaves the bytes as they are', async () => {
  expect(await compress(body, 'none')).toBeUndefined()
})

it('bytes that cannot be compressed travel as they are', async () => {
  vi.stubGlobal('CompressionStream', undefined)
  expect(await compress(body, 'stream')).toBeUndefined()
})

describe('in the same call', () => {
  it('the bytes are the same as off this thread', async () => {
    expect(compressNow(body)).toEqual(await compress(body, 'zlib'))
  })

  it('what was compressed is taken back', () => {
    expect(decompress(gzipSync(body))).toEqual(Buffer.from(body))
  })

  it('bytes that are not compressed cannot be taken back', () => {
    expect(decompress(body)).toBeUndefined()
  })
})
