import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { FAILED_TO_SERIALIZE, fromMetadataText, toExactText, toJson, toMetadataText, toText } from './json.ts'

const circular: Record<string, unknown> = {}
circular.self = circular
const circularMap = new Map()
circularMap.set('self', circularMap)
const throwing = {
  get x(): never {
    throw new Error('no')
  },
}
let deep: unknown = 1
for (let level = 0; level < 20_000; level++) deep = [deep]

describe('input and output (contract 2.3)', () => {
  it.each<[value: unknown, text: string | undefined]>([
    ['plain', 'plain'],
    ['', ''],
    ['{"a":1}', '{"a":1}'],
    [null, undefined],
    [undefined, undefined],
    [5, '5'],
    [false, 'false'],
    [{ a: [1, 'x'] }, '{"a":[1,"x"]}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [() => {}, undefined],
    [Symbol('x'), undefined],
    [Number.NaN, '"NaN"'],
    [10n, '10'],
    [2n ** 53n, '"9007199254740992"'],
    [{ a: -(2n ** 53n) + 1n }, '{"a":-9007199254740991}'],
    [new TypeError('no'), '{"name":"TypeError","message":"no"}'],
    [{ error: Object.assign(new Error('no'), { code: 5 }) }, '{"error":{"name":"Error","message":"no","code":5}}'],
    [new Map([['a', new Set([1])]]), '{"a":[1]}'],
    [new Map([[1, 2]]), '[[1,2]]'],
  ])('%s is written as %s', (value, text) => {
    expect(toText(value)).toBe(text)
  })

  it.each<[what: string, value: unknown]>([
    ['a cycle', circular],
    ['a cycle of maps', circularMap],
    ['a throwing getter', throwing],
    ['20,000 levels', deep],
  ])('%s fails without throwing', (_, value) => {
    expect(toText(value)).toBe(FAILED_TO_SERIALIZE)
  })
})

// As JSON, each byte would take up to twelve characters, and a file of 10 MB three seconds.
describe('bytes, blobs and streams are written as their type and size', () => {
  it.each<[value: unknown, text: string]>([
    [Buffer.from('hi'), '[Buffer: 2 bytes]'],
    [new Uint8Array(3), '[Uint8Array: 3 bytes]'],
    [new Float32Array(2), '[Float32Array: 8 bytes]'],
    [new ArrayBuffer(4), '[ArrayBuffer: 4 bytes]'],
    [new Blob(['abc']), '[Blob: 3 bytes]'],
    [Readable.from([]), '[Readable]'],
  ])('%s', (value, text) => {
    expect([toText(value), toText({ file: [value] }), toMetadataText(value)]).toEqual([
      text,
      `{"file":["${text}"]}`,
      `"${text}"`,
    ])
  })

  it('but not what only looks like them', () => {
    const same = { type: 'Buffer', data: [104, 105] }
    expect(toText({ same })).toBe('{"same":{"type":"Buffer","data":[104,105]}}')
  })

  it('and are part of the text that tells values apart', () => {
    const [one, other] = [Buffer.from('a'), Buffer.from('b')].map((file) => toExactText({ file }))
    expect(one).toBe('{"file":{"type":"Buffer","data":[97]}}')
    expect(other).not.toBe(one)
  })
})

describe('metadata (contract 2.3)', () => {
  it.each<[value: unknown, text: string | undefined]>([
    ['prod', '"prod"'],
    ['', '""'],
    ['3', '"3"'],
    [3, '3'],
    [true, 'true'],
    [null, undefined],
    [undefined, undefined],
    [() => {}, undefined],
    [Symbol('x'), undefined],
    [{ toJSON: () => undefined }, undefined],
    [{ a: { b: 1 } }, '{"a":{"b":1}}'],
    [Number.POSITIVE_INFINITY, '"Infinity"'],
    [Number.NEGATIVE_INFINITY, '"-Infinity"'],
    [[Number.NaN], '["NaN"]'],
    [9007199254740991n, '9007199254740991'],
    [9007199254740992n, '"9007199254740992"'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [new Date(Number.NaN), 'null'],
  ])('%s is written as %s', (value, text) => {
    expect(toMetadataText(value)).toBe(text)
  })

  it.each<[what: string, value: unknown]>([
    ['a cycle', circular],
    ['a throwing getter', throwing],
    ['20,000 levels', deep],
  ])('%s fails without throwing', (_, value) => {
    expect(toMetadataText(value)).toBe(JSON.stringify(FAILED_TO_SERIALIZE))
  })

  it.each([['prod'], ['3'], [3], [true], [[1, 'x']], [{ a: 1 }]])('%j survives the round trip', (value) => {
    expect(fromMetadataText(toMetadataText(value) ?? '')).toEqual(value)
  })

  it('text that is not JSON is returned unchanged', () => {
    expect(fromMetadataText('not json')).toBe('not json')
  })
})

describe('what the API stores', () => {
  const cyclic: Record<string, unknown> = { a: 1 }
  cyclic.self = cyclic
  const trap = {
    get broken() {
      throw new Error('not now')
    },
    fine: 1,
  }

  it.each<[what: string, value: unknown, stored: unknown]>([
    ['an error', { e: new TypeError('m') }, { e: { name: 'TypeError', message: 'm' } }],
    ['a map and a set', { m: new Map([['a', 1]]), s: new Set([1]) }, { m: { a: 1 }, s: [1] }],
    ['a bigint', { n: 10n }, { n: 10 }],
    ['a cycle', { b: 2, c: cyclic }, { b: 2, c: { a: 1, self: '[Circular]' } }],
    ['one value twice', { a: trap, b: [1], c: [1] }, { a: { broken: '[Throws: not now]', fine: 1 }, b: [1], c: [1] }],
    [
      'a toJSON that throws',
      {
        a: {
          toJSON() {
            throw new Error('never')
          },
        },
        b: 1,
      },
      { a: '[Throws: never]', b: 1 },
    ],
    ['bytes', { b: new Uint8Array([1]) }, { b: [1] }],
  ])('keeps all but the place of %s', (_, value, stored) => {
    expect(JSON.parse(toJson(value) ?? '')).toEqual(stored)
  })

  it('has an end where parts of it are its parts again and again', () => {
    let doubled: unknown = 'x'.repeat(1_000)
    for (let level = 0; level < 40; level++) doubled = [doubled, doubled]
    const text = toJson(doubled) ?? ''
    expect(text).toContain('[Truncated]')
    expect(text.length).toBeLessThan(100_000_000)
    expect([toText(doubled), toMetadataText(doubled)]).toEqual([FAILED_TO_SERIALIZE, `"${FAILED_TO_SERIALIZE}"`])
  })

  it('is cut off below 500 levels, where it is too deep for JSON', () => {
    expect(toJson(deep)).toMatch(/^\[{500}"\[Truncated\]"\]{500}$/)
  })

  it('has no text for a function', () => {
    expect(toJson(() => 1)).toBeUndefined()
  })
})
