import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Models, startModels } from '../../test/models.ts'
import { isFramed, readFrames } from './event-frames.ts'

let server: Models
beforeAll(async () => {
  server = await startModels()
})
afterAll(() => server.close())

async function stream(): Promise<Buffer> {
  const body = JSON.stringify({ messages: [{ role: 'user', content: [{ text: 'What is a span?' }] }] })
  const response = await fetch(`${server.url}/model/claude-test/converse-stream`, { method: 'POST', body })
  return Buffer.from(await response.arrayBuffer())
}

it('of a stream that broke the frames are read that arrived whole, each at its place', async () => {
  const bytes = await stream()
  const events = readFrames(bytes)
  expect(isFramed(bytes)).toBe(true)
  expect(events.map(({ fields }) => Object.keys(fields)[0])).toEqual(
    expect.arrayContaining(['messageStart', 'contentBlockDelta', 'messageStop', 'metadata']),
  )
  for (let length = 0; length < bytes.length; length += 7) {
    const arrived = events.filter((_, index) => (events[index + 1]?.at ?? bytes.length) <= length)
    expect(readFrames(bytes.subarray(0, length))).toEqual(arrived)
  }
})

it('bytes that are no frames say nothing', async () => {
  const bytes = await stream()
  const spoilt = [0, 4, 12].flatMap((at) =>
    [0, 1, 0xffff_ffff].map((length) => {
      const copy = Buffer.from(bytes)
      copy.writeUInt32BE(length, at)
      return copy
    }),
  )
  for (const each of [Buffer.alloc(64), ...spoilt]) expect(() => readFrames(each)).not.toThrow()
  expect(readFrames(Buffer.alloc(64))).toEqual([])
})
