import { gunzipSync } from 'node:zlib'
import { afterEach, expect, it, vi } from 'vitest'
import { compress } from './compress.ts'

const body = new TextEncoder().encode('the same again and again '.repeat(100))

afterEach(() => void vi.unstubAllGlobals())

it.each(['zlib', 'stream'] as const)('%s makes gzip that is smaller', async (how) => {
  const { body: packed, encoding } = await compress(body, how)
  expect(encoding).toBe('gzip')
  expect(packed.length).toBeLessThan(body.length / 5)
  expect(new Uint8Array(gunzipSync(packed))).toEqual(body)
})

it('none leaves the bytes as they are', async () => {
  expect(await compress(body, 'none')).toEqual({ body })
})

it('bytes that cannot be compressed travel as they are', async () => {
  vi.stubGlobal('CompressionStream', undefined)
  expect(await compress(body, 'stream')).toEqual({ body })
})
