import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { boundedJson, boundedText } from './bounded-json.ts'
import { FAILED_TO_SERIALIZE } from './json.ts'

/** Returns a new object whose keys cannot be read. */
const unreadable = () =>
  new Proxy(
    {},
    {
      ownKeys() {
        throw new Error('unreadable')
      },
    },
  )

describe('boundedText', () => {
  it.each<[what: string, value: unknown, text: string | undefined]>([
    ['a text', 'plain', 'plain'],
    ['nothing', undefined, undefined],
    ['null', null, undefined],
    ['an object', { a: [1, 'x'] }, '{"a":[1,"x"]}'],
    ['a number that JSON has no word for', Number.NaN, '"NaN"'],
    ['a bigint', 10n, '10'],
    ['a large bigint', 2n ** 53n, '"9007199254740992"'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['a function', () => 1, undefined],
    ['an error', { error: new TypeError('no') }, '{"error":{"name":"TypeError","message":"no"}}'],
    ['a map', new Map([['a', new Set([1])]]), '{"a":[1]}'],
    ['a field called as the prototype', JSON.parse('{"__proto__":{"a":1},"b":2}'), '{"__proto__":{"a":1},"b":2}'],
  ])('writes %s in the same form as input and output', (_, value, text) => {
    expect(boundedText(value)).toBe(text)
  })

  it('gives nothing to a setter of the prototype of all objects, and needs none that can be written', () => {
    const taken: unknown[] = []
    const set = (value: unknown) => taken.push(value)
    Object.defineProperty(Object.prototype, 'prompt', { set, configurable: true })
    Object.defineProperty(Object.prototype, 'answer', { value: 'fixed', configurable: true })
    onTestFinished(() => {
      for (const name of ['prompt', 'answer']) Reflect.deleteProperty(Object.prototype, name)
    })
    const value = JSON.parse('{"prompt":"secret","answer":"yes"}')
    expect([boundedText(value), taken]).toEqual(['{"prompt":"secret","answer":"yes"}', []])
  })

  it.each<[what: string, value: unknown, text: string]>([
    ['a Buffer', Buffer.alloc(10), '[Buffer: 10 bytes]'],
    ['bytes', new Uint8Array(3), '[Uint8Array: 3 bytes]'],
    ['an ArrayBuffer', new ArrayBuffer(4), '[ArrayBuffer: 4 bytes]'],
    ['a Blob', new Blob(['abc']), '[Blob: 3 bytes]'],
    ['a stream', Readable.from([]), '[Readable]'],
    ['a web stream', new ReadableStream(), '[ReadableStream]'],
    ['bytes inside', { file: Buffer.alloc(2) }, '{"file":"[Buffer: 2 bytes]"}'],
  ])('writes a description in place of %s', (_, value, text) => {
    expect(boundedText(value)).toBe(text)
  })

  it('cuts a text at the limit, between two characters, with a note', () => {
    expect(boundedText('grün', 3)).toBe('gr[truncated by svc: 2 more characters]')
    expect(boundedText('grün', 5)).toBe('grün')
  })

  it('reads no more of a value than fits', () => {
    let read = 0
    const item = {
      get text() {
        read += 1
        return 'x'.repeat(1_000)
      },
    }
    const text =
      boundedText(
        Array.from({ length: 10_000 }, () => item),
        10_000,
      ) ?? ''
    expect(text.length).toBeLessThan(15_000)
    expect(read).toBeLessThan(200)
  })

  it.each<[what: string, value: unknown]>([
    ['numbers', Array.from({ length: 100_000 }, (_, n) => n / 7)],
    ['booleans', Array.from({ length: 100_000 }, () => false)],
    ['holes', new Array(100_000)],
    ['fields of numbers', Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n / 7]))],
    ['unreadable values', Array.from({ length: 100_000 }, unreadable)],
  ])('counts %s towards the limit', (_, value) => {
    expect(boundedText(value, 10_000)?.length).toBeLessThan(15_000)
  })

  it('keeps values behind many that cannot be read', () => {
    const values = [{ fine: 1 }, ...Array.from({ length: 100 }, unreadable)]
    expect(boundedJson(values)).toContain('{"fine":1}')
  })

  it('does not throw for values that cannot be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(boundedText(proxy)).toContain(FAILED_TO_SERIALIZE)
    expect(boundedJson({ proxy })).toBe(JSON.stringify({ proxy: FAILED_TO_SERIALIZE }))
  })
})
