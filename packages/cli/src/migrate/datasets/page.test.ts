import { expect, it } from 'vitest'
import { pageOf } from './page.ts'

const rows = [{ id: 'a' }]

it.each([
  ['snake case', { examples: rows, pagination: { has_more: true, next_cursor: 'c' } }],
  ['camel case', { data: rows, pagination: { hasMore: true, nextCursor: 'c' } }],
])('a dataset page in %s has rows and the next cursor', (_, answer) => {
  expect(pageOf(answer, 'examples', 'x')).toEqual({ rows, next: 'c' })
})

it.each([
  [{ has_more: false, next_cursor: 'c' }],
  [{ has_more: true, next_cursor: null }],
  [{ has_more: true }],
  [{ has_more: true, next_cursor: '' }],
  [undefined],
])('the dataset page %j is the last one', (pagination) => {
  expect(pageOf({ examples: rows, pagination }, 'examples', 'x')).toEqual({ rows, next: undefined })
})

it.each([[null], ['text'], [{}], [{ examples: {} }], [{ examples: [1] }], [{ examples: [null] }], [[]]])(
  '%j is not a valid dataset page',
  (answer) => {
    expect(() => pageOf(answer, 'examples', 'dataset "x"')).toThrow(
      'the source returned an invalid page for dataset "x": expected a list of objects as "examples" or "data".',
    )
  },
)
