import { expect, it } from 'vitest'
import { markdownOf } from './report.ts'
import type { ExperimentSummary, SummaryItem } from './summary.ts'

const summary: ExperimentSummary = {
  name: 'words',
  runName: 'words - now',
  passed: true,
  total: 1,
  items: [{ itemId: 'a', title: 'a', scores: {} }],
  scores: [],
  worse: [],
  missed: [],
}

it('values are escaped in the report, and stay in their cell', () => {
  const title = '# a | b\n<img src=x> [c](d) `e`'
  const page = markdownOf({ ...summary, items: [{ itemId: 'a', title, scores: {}, error: 'no | pipe' }] })
  expect(page).toContain('| \\# a \\| b \\<img src=x\\> \\[c\\](d) \\`e\\`: no \\| pipe |\n')
})

it('a report shows at most a hundred items, failed and worse ones first', () => {
  const items: SummaryItem[] = Array.from({ length: 150 }, (_, at) => ({
    itemId: `i${at}`,
    title: `item ${at}`,
    scores: { x: 0.12345 },
  }))
  const worse = [{ itemId: 'i140', title: 'item 140', score: 'x', before: 1, now: 0.12345 }]
  const failed = { itemId: 'i149', title: 'item 149', scores: {}, error: 'why' }
  const rows = markdownOf({ ...summary, items: items.with(149, failed), worse })
    .split('\n')
    .filter((line) => /^\| item/.test(line))
  expect(rows).toHaveLength(100)
  expect(rows.slice(0, 3)).toEqual(['| item 149: why |  |', '| item 140 | 0.123 |', '| item 0 | 0.123 |'])
})

it('an item without a score has none, whatever the name of the score', () => {
  const scored: SummaryItem['scores'][] = [{}, { constructor: 1 }]
  const items = scored.map((scores, at) => ({ itemId: `${at}`, title: `item ${at}`, scores }))
  const page = markdownOf({ ...summary, items })
  expect(page).toContain('| item 0 |  |\n| item 1 | 1 |\n')
})
