import { beforeAll, describe, expect, it } from 'vitest'
import { type Run, useApps } from '../tracing/apps.ts'

const { run } = useApps()
let all: Run
beforeAll(async () => {
  all = await run('values.mjs')
})

const FAILED = '<failed to serialize>'
const NOTHING = undefined

/** What arrives of a value: as input (and output), and under a key of metadata. */
const RULES: readonly (readonly [name: string, input: string | undefined, metadata: string | undefined])[] = [
  ['text', 'plain', '"plain"'],
  ['text that is JSON', '{"a":1}', '"{\\"a\\":1}"'],
  ['empty text', '', '""'],
  ['number', '5', '5'],
  ['digits as text', '3', '"3"'],
  ['zero', '0', '0'],
  ['boolean', 'false', 'false'],
  ['list', '["a",1,null]', '["a",1,null]'],
  ['nested', '{"a":{"b":[1,2]}}', '{"a":{"b":[1,2]}}'],
  ['date', '"1970-01-01T00:00:00.000Z"', '"1970-01-01T00:00:00.000Z"'],
  ['small bigint', '12', '12'],
  ['large bigint', '"12345678901234567890"', '"12345678901234567890"'],
  ['not a number', '"NaN"', '"NaN"'],
  ['infinity', '"-Infinity"', '"-Infinity"'],
  ['undefined', NOTHING, NOTHING],
  ['null', NOTHING, NOTHING],
  ['function', NOTHING, NOTHING],
  ['symbol', NOTHING, NOTHING],
  ['toJSON giving undefined', NOTHING, NOTHING],
  ['cycle', FAILED, `"${FAILED}"`],
  ['deep', FAILED, `"${FAILED}"`],
  ['broken', FAILED, `"${FAILED}"`],
]

describe('a value as input and output', () => {
  it.each(RULES)('%s', (name, text) => {
    const attributes = all.attributes(`input ${name}`)
    expect([attributes['svc.observation.input'], attributes['svc.observation.output']]).toEqual([text, text])
  })
})

describe('a metadata value is JSON text under its key', () => {
  it.each(RULES)('%s', (name, _, text) => {
    expect(all.attributes('metadata')[`svc.observation.metadata.${name}`]).toBe(text)
  })

  it('which the service reads back unchanged', () => {
    const metadata = all.traces.flatMap(({ observations }) => observations).find(({ name }) => name === 'metadata')
    expect(metadata?.metadata).toMatchObject({
      text: 'plain',
      'text that is JSON': '{"a":1}',
      'empty text': '',
      number: 5,
      'digits as text': '3',
      boolean: false,
      nested: { a: { b: [1, 2] } },
    })
  })

  it('or under the bare key if it is not an object', () => {
    const bare = (name: string) => all.attributes(name)['svc.observation.metadata']
    expect(bare('metadata that is a list')).toBe('["a",1]')
    expect(bare('metadata that is a text')).toBe('"note"')
    expect(bare('metadata that is a number')).toBe('7')
  })

  it('with nested objects as one value, and with dots in keys', () => {
    expect(all.attributes('dotted metadata')).toMatchObject({
      'svc.observation.metadata.a.b': '1',
      'svc.observation.metadata.a': '{"b":2}',
    })
  })
})

describe('metadata beyond the attribute limit of a span', () => {
  it('leaves room for input, output and other attributes', () => {
    const { attributes, droppedAttributesCount } = all.spans.find(({ name }) => name === 'too much metadata') ?? {}
    expect(droppedAttributesCount).toBe(0)
    expect(attributes).toMatchObject({
      'svc.observation.input': 'in',
      'svc.observation.output': 'out',
      'svc.observation.metadata.key0': '0',
    })
    expect(attributes).not.toHaveProperty('svc.observation.metadata.key299')
  })

  it('is reported in one line with its keys', () => {
    const lines = all.lines.filter((line) => line.includes('a span can have at most 128 attributes'))
    expect(lines).toEqual([expect.stringMatching(/: key\d+, .*key299\. Put values that belong together/)])
  })
})

it('a value without a JSON form is replaced by its description', () => {
  for (const name of ['function', 'symbol', 'toJSON giving undefined']) {
    expect(all.lines.filter((line) => line.includes(`metadata "${name}" is dropped`))).toHaveLength(1)
  }
})

it('a large input arrives completely', () => {
  expect(all.attributes('64 KB')['svc.observation.input']).toBe('é'.repeat(32 * 1024))
})
