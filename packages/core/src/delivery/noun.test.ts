import { expect, it } from 'vitest'
import { SPANS } from '../../test/support/nouns.ts'
import { capitalized, countOf } from './noun.ts'

it('a number of items is written with its noun', () => {
  expect([1, 2, 0].map((count) => countOf(count, SPANS))).toEqual(['1 span is', '2 spans are', '0 spans are'])
})

it('a number of items may begin a sentence', () => {
  expect(capitalized(SPANS)).toBe('Spans')
})
