import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { compress, compressNow, decompress } from './compress.ts'

const body = new TextEncoder().encode('the same again and again '.repeat(100))

afterEach(() => void vi.unstubAllGlobals())

it.each(['zlib', 'stream'] as const)('%s compresses to gzip', async (how) => {
  const packed = (await compress(body, how)) as Uint8Array
  expect(packed.length).toBeLessThan(body.length / 5)
  expect(new Uint8Array(gunzipSync(packed))).toEqual(body)
})

it('compression none leaves the bytes unchanged', async () => {
  expect(await compress(body, 'none')).toBeUndefined()
})

it('incompressible bytes are sent uncompressed', async () => {
  vi.stubGlobal('CompressionStream', undefined)
  expect(await compress(body, 'stream')).toBeUndefined()
})

describe('synchronous compression', () => {
  it('gives the same bytes as asynchronous compression', async () => {
    expect(compressNow(body)).toEqual(await compress(body, 'zlib'))
  })

  it('can be undone', () => {
    expect(decompress(gzipSync(body))).toEqual(Buffer.from(body))
  })

  it('cannot be undone for bytes that are not compressed', () => {
    expect(decompress(body)).toBeUndefined()
  })
})
