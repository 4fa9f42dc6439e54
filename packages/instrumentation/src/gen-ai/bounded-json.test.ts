import { afterEach, describe, expect, it } from 'vitest'
import { MEDIA_LIMIT, toBoundedJson } from './bounded-json.ts'
import { configure } from './configure.ts'

const TEXT_LIMIT = 1_000_000
const long = 'x'.repeat(10_000_000)

describe('toBoundedJson', () => {
  it('writes values within the limit as plain JSON', () => {
    const value = [{ role: 'user', parts: [{ type: 'text', content: 'What is a "span"?\n' }] }]
    expect(toBoundedJson(value)).toBe(JSON.stringify(value))
  })

  it('truncates a text of 10 MB with a note, and keeps other fields', () => {
    const json = toBoundedJson(['instructions', long, 'the question'])
    expect(json.length).toBeLessThan(TEXT_LIMIT)
    const [first, cut, last] = JSON.parse(json)
    expect([first, last]).toEqual(['instructions', 'the question'])
    expect(/^(x+)\[truncated by svc: (\d+) more characters\]$/.exec(cut)?.[1]?.length).toBe(499_993)
    expect(cut).toMatch(/9500007 more characters\]$/)
  })

  it('keeps the last of many long texts', () => {
    const texts = Array.from({ length: 50 }, (_, index) => `${index} `.padEnd(100_000, 'x'))
    const json = toBoundedJson(texts)
    expect(json.length).toBeLessThan(TEXT_LIMIT * 1.01)
    const kept = JSON.parse(json)
    expect(kept.slice(-8)).toEqual(texts.slice(-8))
    expect(kept[0]).toMatch(/^\[truncated by svc: \d+ earlier items\]$/)
  })

  it('begins a list of too many items with a note', () => {
    const items = JSON.parse(toBoundedJson(Array.from({ length: 300_000 }, () => 'item')))
    expect(items[0]).toMatch(/^\[truncated by svc: \d+ earlier items\]$/)
  })

  it('ends an object of too many fields with a note', () => {
    const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field${index}`, 'value']))
    expect(JSON.parse(toBoundedJson(fields))['…']).toMatch(/^\[truncated by svc: \d+ more fields\]$/)
  })

  it('keeps a complete data URI beside a megabyte of text', () => {
    const image = `data:image/png;base64,${long.slice(0, 5_000_000)}`
    expect(JSON.parse(toBoundedJson({ image, text: 'What is this?' }))).toEqual({ image, text: 'What is this?' })
  })

  it('replaces a data URI beyond the limit, and never truncates it', () => {
    const image = `data:image/png;base64,${long}`
    expect(image.length).toBeGreaterThan(MEDIA_LIMIT)
    expect(JSON.parse(toBoundedJson({ image }))).toEqual({
      image: `[truncated by svc: a data URI of ${image.length} characters]`,
    })
  })

  it('never splits a surrogate pair', () => {
    const [cut] = JSON.parse(toBoundedJson([`x${'\u{1F600}'.repeat(600_000)}`]))
    expect(cut.isWellFormed?.() ?? !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/.test(cut)).toBe(true)
  })

  it('marks a cycle where it closes', () => {
    const value: { name: string; self?: unknown } = { name: 'loop' }
    value.self = value
    expect(JSON.parse(toBoundedJson(value))).toEqual({ name: 'loop', self: '<failed to serialize>' })
  })

  it('ends 20,000 levels of nesting with a note', () => {
    // What plain JSON cannot say at the bottom: how deep it reaches by itself differs from Node to Node.
    let value: unknown = 1n
    for (let level = 0; level < 20_000; level += 1) value = [value]
    expect(toBoundedJson(value)).toContain('[truncated by svc: more than 64 levels]')
  })

  it('omits only the field of a getter that throws', () => {
    const value = {
      fine: 1,
      get broken(): never {
        throw new Error('no')
      },
    }
    expect(JSON.parse(toBoundedJson(value))).toEqual({ fine: 1, broken: '<failed to serialize>' })
  })

  it('omits only the value of a toJSON that throws', () => {
    const broken = {
      toJSON() {
        throw new Error('no')
      },
    }
    expect(JSON.parse(toBoundedJson([1, broken]))).toEqual([1, '<failed to serialize>'])
  })

  it('omits only the value of a proxy whose traps throw', () => {
    const fail = () => {
      throw new Error('no')
    }
    const broken = new Proxy({}, { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail })
    expect(JSON.parse(toBoundedJson([1, broken]))).toEqual([1, '<failed to serialize>'])
  })

  it('writes a bigint as a number and a date as in JSON', () => {
    const at = new Date(0)
    expect(JSON.parse(toBoundedJson([12n, at, long]))).toEqual([12, at.toISOString(), expect.any(String)])
  })

  it('names values without a JSON form', () => {
    expect(toBoundedJson(undefined)).toBe('"<failed to serialize>"')
    expect(toBoundedJson(() => 1)).toBe('"<failed to serialize>"')
  })
})

describe('the configured content limit', () => {
  afterEach(() => configure({}))

  it('counts bytes: a two-byte letter counts twice', () => {
    configure({ contentMaxBytes: 2_000 })
    expect(toBoundedJson('é'.repeat(900))).toBe(`"${'é'.repeat(900)}"`)
    expect(toBoundedJson('é'.repeat(1_500))).toBe(`"${'é'.repeat(500)}[truncated by svc: 1000 more characters]"`)
  })

  it('keeps the newest of many messages', () => {
    configure({ contentMaxBytes: 3_000 })
    const messages = Array.from({ length: 100 }, (_, index) => `message ${index}`.padEnd(500, '.'))
    const kept = JSON.parse(toBoundedJson(messages))
    expect(kept[0]).toMatch(/^\[truncated by svc: \d+ earlier items\]$/)
    expect(kept.slice(-3)).toEqual(messages.slice(-3))
  })
})
