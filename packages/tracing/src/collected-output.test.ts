import { setContentMaxBytes } from '@svc/core/content-limit'
import { describe, expect, it } from 'vitest'
import { CollectedOutput, ITEM_LIMIT, TEXT_LIMIT } from './collected-output.ts'

const collected = (...pieces: unknown[]) => {
  const all = new CollectedOutput()
  for (const piece of pieces) all.add(piece)
  return all.output
}

describe('collected output', () => {
  it('is undefined without chunks', () => {
    expect(collected()).toBeUndefined()
    expect(collected('', '')).toBeUndefined()
  })

  it('joins text, and lists other values', () => {
    expect(collected('a', 'b')).toBe('ab')
    expect(collected({ a: 1 }, 2, null, undefined)).toBe('[{"a":1},2,null,null]')
    expect(collected('a', 'b', { done: true }, 'c')).toBe('["ab",{"done":true},"c"]')
  })

  it('decodes bytes as text, also across a split character', () => {
    const bytes = new TextEncoder().encode('grün')
    expect(collected(bytes.slice(0, 3), bytes.slice(3))).toBe('grün')
  })

  it('decodes characters that come byte by byte, in order with pieces of other kinds', () => {
    const letters = [...new TextEncoder().encode('ä'.repeat(500))].map((byte) => Uint8Array.of(byte))
    expect(collected(...letters, 'b', ...letters)).toBe(`${'ä'.repeat(500)}b${'ä'.repeat(500)}`)
    expect(collected(...letters, { done: true })).toBe(`["${'ä'.repeat(500)}",{"done":true}]`)
  })

  it('has all bytes of pieces of any size', () => {
    const sizes = [1, 1_000, 30, 16_000, 400, 40_000, 1, 16_384, 5]
    const text = sizes.map((size, at) => String.fromCharCode(97 + at).repeat(size))
    expect(collected(...text.map((each) => new TextEncoder().encode(each)))).toBe(text.join(''))
  })

  it('is not changed by an application that uses its buffer again', () => {
    const all = new CollectedOutput()
    const buffer = new Uint8Array(1)
    for (const letter of 'tea') {
      buffer[0] = letter.charCodeAt(0)
      all.add(buffer)
    }
    expect(all.output).toBe('tea')
  })

  it('counts bytes that are not text', () => {
    expect(collected(Uint8Array.of(0x61), Uint8Array.of(0xff), new Uint8Array(998))).toBe('[1000 bytes]')
    expect(collected(Uint8Array.of(0x89, 0x50, 0xff), new Uint8Array(997))).toBe('[1000 bytes]')
    expect(collected({ a: 1 }, new Uint8Array(5))).toBe('[{"a":1},"[Uint8Array: 5 bytes]"]')
  })

  it('respects the content limit', () => {
    setContentMaxBytes(4)
    expect(collected('grün', 'e')).toBe('grü[truncated by svc: 2 more characters]')
    setContentMaxBytes()
  })

  it('is a snapshot of the values at their arrival', () => {
    const item = { a: 1 }
    const all = new CollectedOutput()
    all.add(item)
    item.a = 2
    expect(all.output).toBe('[{"a":1}]')
  })

  it('is bounded for text', () => {
    const output = collected('x'.repeat(TEXT_LIMIT - 1), 'yz', 'more')
    expect(output).toBe(`${'x'.repeat(TEXT_LIMIT - 1)}y[truncated by svc: 5 more characters]`)
  })

  it('is bounded for items, without gaps', () => {
    const many = JSON.parse(collected(...Array.from({ length: ITEM_LIMIT + 2 }, (_, index) => index)) ?? '')
    expect([many.length, many.at(-2), many.at(-1)]).toEqual([
      ITEM_LIMIT + 1,
      ITEM_LIMIT - 1,
      '[truncated by svc: 2 more items]',
    ])
    const large = JSON.parse(collected(1, { text: 'x'.repeat(TEXT_LIMIT) }, 2) ?? '')
    expect(large).toEqual([
      1,
      { text: expect.stringMatching(/^x{400000}x*\[truncated by svc: \d+ more characters\]$/) },
      2,
    ])
    setContentMaxBytes(20)
    expect(collected({ a: 1 }, { text: 'x'.repeat(20) }, 2)).toBe('[{"a":1},"[truncated by svc: 2 more items]"]')
    setContentMaxBytes()
  })

  it('may contain an item without a JSON form', () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    expect(collected(cycle, () => 1)).toBe('[{"self":"<failed to serialize>"},null]')
  })
})
