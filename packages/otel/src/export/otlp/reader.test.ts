import { describe, expect, it } from 'vitest'
import { fieldsOf, type ProtobufField } from './reader.ts'
import { ProtobufWriter } from './writer.ts'

function message(write: (writer: ProtobufWriter) => void): Uint8Array {
  const writer = new ProtobufWriter()
  write(writer)
  return writer.view().slice()
}

const read = (bytes: Uint8Array | number[]): ProtobufField[] => [...fieldsOf(Uint8Array.from(bytes))]

describe('the fields of a protobuf message', () => {
  const all = message((writer) => {
    writer.unsigned(1, 300)
    writer.double(2, 0.5)
    writer.string(3, 'ab')
    writer.fixed32(4, 7)
    writer.unsigned(1, 0)
    const start = writer.open(2_000)
    writer.unsigned(1, 2 ** 40)
    writer.close(start)
  })

  it('are read in order, with number, value and content', () => {
    expect(read(all).map(({ number, value, content }) => [number, value, [...content]])).toEqual([
      [1, 300, []],
      [2, 0, [0, 0, 0, 0, 0, 0, 224, 63]],
      [3, 0, [97, 98]],
      [4, 0, [7, 0, 0, 0]],
      [1, 0, []],
      [2_000, 0, [8, 128, 128, 128, 128, 128, 32]],
    ])
  })

  it('cover all of its bytes', () => {
    expect(read(all).flatMap(({ bytes }) => [...bytes])).toEqual([...all])
  })

  it('of a nested message are read from its content', () => {
    const content = read(all).at(-1)?.content ?? new Uint8Array()
    expect(read(content)).toMatchObject([{ number: 1, value: 2 ** 40 }])
  })

  it('are empty for an empty message', () => {
    expect(read([])).toEqual([])
  })

  it('include varints of 64 bits', () => {
    const [negative, next] = read(
      message((writer) => {
        writer.signed(1, -1)
        writer.unsigned(2, 5)
      }),
    )
    expect(negative?.value).toBeGreaterThan(2 ** 63)
    expect(next).toMatchObject({ number: 2, value: 5 })
  })
})

describe('bytes that are not a protobuf message', () => {
  it.each<[what: string, bytes: number[]]>([
    ['break off in a tag', [128]],
    ['break off before a varint', [8]],
    ['break off in a varint', [8, 128]],
    ['have a varint without an end', [8, ...Array<number>(20).fill(255)]],
    ['break off before a length', [10]],
    ['break off in a text', [10, 5, 97, 98]],
    ['have a length beyond all memory', [10, 255, 255, 255, 255, 255, 255, 255, 127]],
    ['break off in a fixed64', [9, 0, 0, 0]],
    ['break off in a fixed32', [13, 0]],
    ['open a group', [11]],
    ['close a group', [12]],
    ['have wire type 6', [14]],
    ['have wire type 7', [15]],
    ['are a page', [...new TextEncoder().encode('<html>sign in</html>')]],
  ])('cause a RangeError if they %s', (_, bytes) => {
    expect(() => read(bytes)).toThrow(RangeError)
  })

  it('are read or refused at any truncation, never beyond their end', () => {
    const whole = message((writer) => {
      const start = writer.open(1)
      writer.string(2, 'x'.repeat(200))
      writer.double(3, 1)
      writer.close(start)
      writer.fixed32(4, 1)
    })
    for (let length = 0; length < whole.length; length++) {
      const beginning = whole.subarray(0, length)
      try {
        expect(read(beginning).flatMap(({ bytes }) => [...bytes])).toEqual([...beginning])
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }
  })
})
