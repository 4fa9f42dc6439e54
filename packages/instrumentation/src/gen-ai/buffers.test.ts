import { expect, it } from 'vitest'
import { IndexedBuffer, TextBudget, TextBuffer } from './buffers.ts'

it('a text buffer joins string chunks and ignores other values', () => {
  const text = new TextBuffer(new TextBudget())
  expect(text.text).toBeUndefined()
  expect([text.add('one '), text.add(null), text.add(''), text.add(2), text.add('text')]).toEqual([
    true,
    false,
    false,
    false,
    true,
  ])
  expect(text.text).toBe('one text')
})

it('all text buffers of a response share one byte budget', () => {
  const budget = new TextBudget()
  const [first, second] = [new TextBuffer(budget), new TextBuffer(budget)]
  first.add('x'.repeat(999_995))
  second.add('0123456789')
  second.add('more')
  expect(second.text).toBe('01234[truncated by svc: 9 more characters]')
})

it('an indexed buffer keeps at most 128 entries, in order of arrival', () => {
  const list = new IndexedBuffer(() => ({ name: '' }))
  for (const place of [7, 3, 7, Number.MAX_SAFE_INTEGER, -1]) {
    const entry = list.at(place)
    if (entry) entry.name += place
  }
  expect(list.all.map(({ name }) => name)).toEqual(['77', '3', '9007199254740991', '-1'])
  for (let place = 0; place < 1_000; place += 1) list.at(place)
  expect(list.all).toHaveLength(128)
  expect(list.at(999)).toBeUndefined()
})
