import { describe, expect, it, vi } from 'vitest'
import { ProtobufWriter } from './writer.ts'

function written(write: (writer: ProtobufWriter) => void): number[] {
  const writer = new ProtobufWriter()
  write(writer)
  return [...writer.view()]
}

describe('ProtobufWriter', () => {
  it.each([
    [0, [8, 0]],
    [127, [8, 127]],
    [128, [8, 128, 1]],
    [300, [8, 172, 2]],
    [2 ** 32, [8, 128, 128, 128, 128, 16]],
    [-1, [8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]],
  ])('writes %d as a varint', (value, bytes) => {
    expect(written((writer) => writer.signed(1, value))).toEqual(bytes)
  })

  it.each([
    ['', [10, 0]],
    ['ab', [10, 2, 97, 98]],
    ['é', [10, 2, 195, 169]],
    ['\ud800', [10, 3, 239, 191, 189]],
  ])('writes %j as UTF-8', (text, bytes) => {
    expect(written((writer) => writer.string(1, text))).toEqual(bytes)
  })

  it.each(['with', 'without'])('writes an id of either case as bytes %s Buffer', (which) => {
    if (which === 'without') vi.stubGlobal('Buffer', undefined)
    const bytes = written((writer) => writer.hex(1, '00ffAb'))
    vi.unstubAllGlobals()
    expect(bytes).toEqual([10, 3, 0, 255, 171])
  })

  it('leaves nothing of former bytes in an id that has other characters than digits', () => {
    const writer = new ProtobufWriter()
    const written = [1, 2].map((former) => {
      writer.reset()
      writer.raw(new Uint8Array(16).fill(former))
      writer.reset()
      writer.hex(1, '00 no id')
      return [...writer.view()]
    })
    expect(written[0]).toEqual(written[1])
  })

  it('keeps nanoseconds exact up to 64 bits', () => {
    for (const [seconds, nanoseconds] of [
      [0, 0],
      [1_795_257_666, 967_047_831],
      [4_294_967_296, 999_999_999],
      [18_446_744_073, 709_551_615],
    ] as const) {
      const bytes = Uint8Array.from(written((writer) => writer.nanoseconds(1, [seconds, nanoseconds])))
      const read = new DataView(bytes.buffer).getBigUint64(1, true)
      expect(read).toBe(BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds))
    }
  })

  it('grows as needed, and starts again after a reset', () => {
    const writer = new ProtobufWriter()
    writer.string(1, 'x'.repeat(5_000_000))
    expect(writer.view()).toHaveLength(5_000_000 + 5)
    writer.reset()
    writer.string(1, 'ab')
    expect([...writer.view()]).toEqual([10, 2, 97, 98])
  })

  it('writes encoded fields unchanged', () => {
    const inner = Uint8Array.from(written((writer) => writer.string(2, 'ab')))
    expect(written((writer) => writer.raw(inner))).toEqual([...inner])
    const large = new Uint8Array(200_000).fill(7)
    expect(written((writer) => writer.raw(large))).toEqual([...large])
  })

  it('writes the length of a message in a fixed width', () => {
    const message = written((writer) => {
      const start = writer.open(1)
      writer.unsigned(1, 5)
      writer.close(start)
    })
    expect(message).toEqual([10, 130, 128, 128, 0, 8, 5])
  })

  it('returns a part of its bytes, and can be truncated', () => {
    const writer = new ProtobufWriter()
    writer.unsigned(1, 1)
    const from = writer.length
    writer.unsigned(2, 2)
    const to = writer.length
    writer.unsigned(3, 3)
    expect([...writer.view(from, to)]).toEqual([16, 2])
    writer.cut(from)
    expect([...writer.view()]).toEqual([8, 1])
  })
})
