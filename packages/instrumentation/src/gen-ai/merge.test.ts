import { expect, it } from 'vitest'
import {
  countsAsOutput,
  createMerger,
  first,
  last,
  list,
  type MergeRule,
  type MergeTable,
  name,
  object,
  shallow,
  text,
} from './merge.ts'

/** The value that deltas add up to. */
function merged(table: MergeTable, deltas: readonly unknown[]): unknown {
  const merger = createMerger(table)
  for (const delta of deltas) merger.add(delta)
  return merger.value
}

function values(rule: MergeRule, deltas: readonly unknown[]): unknown {
  return (
    merged(
      { field: rule },
      deltas.map((field) => ({ field })),
    ) as { field?: unknown } | undefined
  )?.field
}

it('text deltas are appended, and other values are ignored', () => {
  expect(values(text, ['one ', null, 2, {}, 'text'])).toBe('one text')
})

it('a name in several deltas is kept once', () => {
  expect(values(name, ['get_', 'weather', 'get_weather', 'get_weather'])).toBe('get_weather')
})

it('a field keeps the first, the last or the newest value, as its rule says', () => {
  expect(values(first, [null, 'a', 'b'])).toBe('a')
  expect(values(last, ['a', 'b', '', null, undefined])).toBe('b')
  expect(values(last, [1, 0])).toBe(0)
  expect(values(object, [{ a: 1 }, { b: 2 }, 'junk', 3])).toEqual({ b: 2 })
})

it('newer fields of an object replace older ones, unless they are null', () => {
  expect(values(shallow, [{ input: 1, cached: 2 }, { input: null, output: 3 }, 'junk'])).toEqual({
    input: 1,
    cached: 2,
    output: 3,
  })
})

it('a merge table is nested like the value, drops unnamed fields, and omits fields that never arrived', () => {
  const table = { id: first, message: { content: text, audio: { transcript: text } } }
  expect(
    merged(table, [{ id: 1, other: 2, message: { content: 'a', audio: {} } }, { message: { content: 'b' } }]),
  ).toEqual({ id: 1, message: { content: 'ab' } })
  expect(merged(table, [null, 5, 'text', [], { message: 'text' }])).toBeUndefined()
})

it('list entries are identified by their index, and keep their order of arrival', () => {
  const choices = list({ content: text })
  expect(
    values(choices, [
      [
        { index: 1, content: 'b' },
        { index: 0, content: 'a' },
      ],
      [{ index: 1, content: 'B' }],
      [{ content: 'A' }],
      [
        { index: Number.MAX_SAFE_INTEGER, content: 'far' },
        { index: -1, content: 'minus' },
      ],
      [
        { index: 'x', content: '!' },
        { index: Number.NaN, content: '?' },
      ],
    ]),
  ).toEqual([{ content: 'bB' }, { content: 'aA!?' }, { content: 'far' }, { content: 'minus' }])
})

it('a value that is not a list is merged as a list of one', () => {
  expect(values(list({ content: text }), [{ content: 'a' }, 'junk', 7])).toEqual([{ content: 'a' }])
})

it('a list may identify entries by another key, or skip them', () => {
  const calls = list({ input: text }, ({ id }, position) => (id === 'none' ? undefined : position))
  expect(
    values(calls, [
      [{ input: 'a' }, { input: 'b' }],
      [{ input: 'A' }, { id: 'none', input: 'x' }],
    ]),
  ).toEqual([{ input: 'aA' }, { input: 'b' }])
})

it('adding a delta returns whether it contains output of the model', () => {
  const merger = createMerger({ id: last, content: text, calls: list(countsAsOutput({ id: last })) })
  const deltas = [{ id: 'x' }, { content: '' }, { content: 'a' }, { calls: [] }, { calls: [{}] }, 'junk', null]
  expect(deltas.map((delta) => merger.add(delta))).toEqual([false, false, true, false, true, false, false])
})

it('a merged list has at most 128 entries, whatever their indexes are', () => {
  const calls = createMerger({ calls: list({ input: text }) })
  for (let index = 0; index < 10_000; index += 1) calls.add({ calls: [{ index: index * 1e6, input: 'x' }] })
  expect((calls.value as { calls: unknown[] }).calls).toHaveLength(128)
})

it('all merged texts of a response share one byte budget', () => {
  const whole = merged({ one: text, two: list({ deep: text }) }, [
    { one: 'x'.repeat(999_995) },
    { two: [{ deep: '0123456789' }] },
  ]) as { two: { deep: string }[] }
  expect(whole.two[0]?.deep).toBe('01234[truncated by svc: 5 more characters]')
})

it('a merged object has at most 128 fields, and existing ones can still change', () => {
  const usage = createMerger({ usage: shallow })
  for (let at = 0; at < 1_000; at += 1) usage.add({ usage: { [`field${at}`]: at } })
  usage.add({ usage: { field0: 'new' } })
  const fields = (usage.value as { usage: Record<string, unknown> }).usage
  expect(Object.keys(fields)).toHaveLength(128)
  expect(fields.field0).toBe('new')
})

it('a field called __proto__ changes no prototype', () => {
  const evil = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}')
  const whole = merged({ usage: shallow, newest: object, list: list({ content: text }) }, [
    { usage: evil, newest: evil, list: [evil] },
    { usage: { input: 1 }, ...evil },
  ]) as { usage: object }
  expect(Object.getPrototypeOf(whole.usage)).toBe(Object.prototype)
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})
