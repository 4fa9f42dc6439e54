import { describe, expect, it } from 'vitest'
import { beginningOf, bodyOf, ERROR_LIMIT, parsedAnswer, TooLargeError } from './read-body.ts'

const MIB = 1_048_576

/** A body without an end, in parts of 1 MiB, and what was asked of it. */
function endless() {
  const seen = { parts: 0, isClosed: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.parts += 1
        controller.enqueue(new Uint8Array(MIB))
      },
      cancel() {
        seen.isClosed = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, seen }
}

async function* parts(...sizes: number[]) {
  for (const size of sizes) yield new Uint8Array(size)
}

describe('a body', () => {
  it.each([
    [[], 0, true],
    [[4, 4], 8, true],
    [[4, 5], 8, false],
    [[100], 8, false],
  ])('in parts of %j is read up to its limit', async (sizes, length, complete) => {
    const { body, ...rest } = await beginningOf(parts(...sizes), 8)
    expect([body.length, rest]).toEqual([length, { complete, broken: undefined }])
  })

  it('that breaks off has a beginning, and the reason', async () => {
    const reason = new Error('reset')
    async function* broken() {
      yield new Uint8Array(3)
      throw reason
    }
    expect(await beginningOf(broken(), 8)).toEqual({ body: new Uint8Array(3), complete: false, broken: reason })
  })
})

describe('an answer', () => {
  it('beyond 64 MiB is an error, and its connection is closed', async () => {
    const { body, seen } = endless()
    await expect(bodyOf(new Response(body))).rejects.toThrow(new TooLargeError('64 MiB'))
    expect(seen).toEqual({ parts: 65, isClosed: true })
  })

  it('with an error status is cut after 1 MiB', async () => {
    const { body, seen } = endless()
    expect(await bodyOf(new Response(body, { status: 503 }))).toHaveLength(ERROR_LIMIT)
    expect(seen.isClosed).toBe(true)
  })

  it('without a body is empty', async () => {
    expect(await bodyOf(new Response(null, { status: 204 }))).toHaveLength(0)
  })
})

describe('an answer in JSON', () => {
  it.each([
    ['levels', '['.repeat(2_000_001)],
    ['objects', `[${'{},'.repeat(2_000_000)}{}]`],
    ['lists after texts', `["\\"","\\\\",${'[],'.repeat(2_000_000)}[]]`],
  ])('of two million %s is not parsed', (_, text) => {
    expect(() => parsedAnswer(text)).toThrow(new TooLargeError('2 million objects and lists'))
  })

  it.each([
    ['numbers', `[${'1,'.repeat(4_000_000)}1]`],
    ['names', `{${'"a":1,'.repeat(4_000_000)}"a":1}`],
  ])('of more than four million %s is not parsed', (_, text) => {
    expect(() => parsedAnswer(text)).toThrow(new TooLargeError('4 million values'))
  })

  it('may have brackets and commas in its texts', () => {
    const value = [`"\\${'[,'.repeat(3_000_000)}`]
    expect(parsedAnswer(JSON.stringify(value))).toEqual(value)
  })
})
