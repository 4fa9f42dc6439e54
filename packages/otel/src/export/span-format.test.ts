import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { batchOf, names, namesIn } from '../../test/support/batches.ts'
import { PROTOBUF } from './protobuf.ts'
import { halves, inEncoding } from './span-format.ts'

const plain = batchOf(names(5), { epoch: 7, sealedAt: 99 })

describe('the encoding of a batch', () => {
  it('changes its bytes and none of its other properties', () => {
    const compressed = inEncoding(plain, true, PROTOBUF)
    expect(compressed).toEqual({ ...plain, body: compressed.body, isCompressed: true })
    expect(new Uint8Array(gunzipSync(compressed.body))).toEqual(plain.body)
  })

  it('can be undone', () => {
    const back = inEncoding(inEncoding(plain, true, PROTOBUF), false, PROTOBUF)
    expect(back).toEqual({ ...plain, body: back.body })
    expect(new Uint8Array(back.body)).toEqual(plain.body)
  })

  it('is not applied twice', () => {
    const compressed = inEncoding(plain, true, PROTOBUF)
    expect(inEncoding(plain, false, PROTOBUF)).toBe(plain)
    expect(inEncoding(compressed, true, PROTOBUF)).toBe(compressed)
  })
})

describe('the halves of a batch', () => {
  it.each([true, false])('have its spans, age and epoch; compressed: %s', (compressed) => {
    const [one, two] = halves(inEncoding(plain, compressed, PROTOBUF), PROTOBUF) ?? []
    expect([one, two].map((half) => half && namesIn(half.body))).toEqual([
      ['s0', 's1', 's2'],
      ['s3', 's4'],
    ])
    expect([one, two]).toMatchObject([
      { items: 3, epoch: 7, sealedAt: 99, isCompressed: false, rawSize: one?.body.length },
      { items: 2, epoch: 7, sealedAt: 99, isCompressed: false, rawSize: two?.body.length },
    ])
  })
})
