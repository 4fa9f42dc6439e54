import { expect, it } from 'vitest'
import { dataUrisIn } from './data-uris.ts'

it.each<[what: string, text: string, count: number]>([
  ['markers without beginning', ';base64,'.repeat(1_000_000), 0],
  ['beginnings without marker', 'data:'.repeat(1_000_000), 0],
  ['beginnings with a wrong header', 'data:a/b;c;base64,AAAA'.repeat(100_000), 0],
  ['many small ones', 'data:a/b;base64,AAAA '.repeat(100_000), 100_000],
  ['breaks', `data:a/b;base64,${'QUJD\n'.repeat(1_000_000)}`, 1],
  ['a large one of lines', `data:a/b;base64,${`${'QUJD'.repeat(19)}\n`.repeat(500_000)}`, 1],
  ['a large one', `data:a/b;base64,${'A'.repeat(40_000_000)}`, 1],
])('data URIs in a text are found in one pass over %s', (_, text, count) => {
  // Milliseconds; anything worse than linear would take longer than a test may.
  expect(dataUrisIn(text)).toHaveLength(count)
})
