import { expect, it } from 'vitest'
import { SPANS } from '../../test/support/nouns.ts'
import { capitalized, countOf } from './noun.ts'

it('items are counted in words', () => {
  expect([1, 2, 0].map((count) => countOf(count, SPANS))).toEqual(['1 span is', '2 spans are', '0 spans are'])
})

it('a sentence may begin with them', () => {
  expect(capitalized(SPANS)).toBe('Spans')
})
