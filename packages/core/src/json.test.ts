import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { FAILED_TO_SERIALIZE, fromMetadataText, toExactText, toMetadataText, toText } from './json.ts'

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
