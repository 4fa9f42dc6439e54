import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { post } from '../../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../../index.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
})
afterAll(() => local.close())

it('a gzip bomb is refused, without holding its decompressed content', async () => {
  const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024), { level: 1 })
  const most = process.memoryUsage.rss() + 192 * 1024 * 1024
  const response = await post(local, bomb, { 'content-encoding': 'gzip' })
  expect(process.memoryUsage.rss()).toBeLessThan(most)
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ message: 'The decompressed body is larger than 33554432 bytes' })
  expect(local.count()).toBe(0)
})

it.each([
  ['application/json', () => `{"resourceSpans":[${'{},'.repeat(5_000_000)}{}]}`],
  // Field 1, no bytes: an empty entry of resourceSpans.
  ['application/x-protobuf', () => Buffer.alloc(10_000_000, Buffer.from([0x0a, 0]))],
] as const)('a bomb of small objects is refused before it is decoded: %s', async (contentType, bomb) => {
  const response = await post(local, gzipSync(bomb()), { 'content-type': contentType, 'content-encoding': 'gzip' })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('more than 400000')
})
