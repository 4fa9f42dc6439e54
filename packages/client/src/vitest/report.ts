import { foreignLines } from '@svc/core/foreign-text'
import { own } from '@svc/core/own'
import type { ExperimentSummary, SummaryItem, SummaryScore } from './summary.ts'

const MOST_ROWS = 100

/** Returns a summary for the output of the test run. */
export function reportOf(summary: ExperimentSummary): string {
  const { runName, total, items, scores, baseline, experimentUrl } = summary
  const width = Math.max(0, ...scores.map(({ name }) => name.length))
  return [
    `${runName}: ${itemCount(items, total)}${baseline === undefined ? '' : `, compared with ${baseline}`}`,
    ...scores.map((score) => `  ${score.name.padEnd(width)}  ${figures(score)}`),
    ...problems(summary).map((problem) => `  ${problem}`),
    ...(experimentUrl ? [`  ${experimentUrl}`] : []),
  ]
    .map((line) => foreignLines(line))
    .join('\n')
}

/** Returns the reasons why the run as a whole failed, one line each. */
export function problems({ missed, worse }: ExperimentSummary): string[] {
  return [
    ...missed.map(({ score, value, mean }) =>
      value === undefined
        ? `${score}: no item has a score of this name, expected at least ${rounded(mean)}`
        : `${score} is ${rounded(value)}, expected at least ${rounded(mean)}`,
    ),
    ...worse.map(({ title, score, before, now }) => `${title}: ${score} was ${rounded(before)}, is ${rounded(now)}`),
  ]
}

/** Returns a summary for a comment on a pull request. */
export function markdownOf(summary: ExperimentSummary): string {
  const { name, runName, passed, total, items, scores, baseline, experimentUrl } = summary
  const link = experimentUrl ? `[${escaped(runName)}](${experimentUrl})` : escaped(runName)
  const names = [...new Set(items.flatMap((item) => Object.keys(item.scores)))]
  const rows = shownFirst(summary)
  return [
    `### ${escaped(name)}: ${passed ? 'passed' : 'failed'}`,
    `${link}: ${itemCount(items, total)}${baseline === undefined ? '' : `, compared with ${escaped(baseline)}`}`,
    table(['Score', 'Value', 'Before', 'Threshold'], scores.map(scoreRow)),
    problems(summary)
      .map((problem) => `- ${escaped(problem)}`)
      .join('\n'),
    rows.length > 0 ? `<details><summary>Items</summary>` : '',
    table(
      ['Item', ...names.map(escaped)],
      rows.slice(0, MOST_ROWS).map((item) => itemRow(item, names)),
    ),
    rows.length > MOST_ROWS ? `and ${rows.length - MOST_ROWS} more` : '',
    rows.length > 0 ? '</details>' : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

function itemCount(items: readonly SummaryItem[], total: number): string {
  const failed = items.filter(({ error }) => error !== undefined).length
  const count =
    items.length < total ? `${items.length} of ${total} items` : `${total} ${total === 1 ? 'item' : 'items'}`
  return failed > 0 ? `${count}, ${failed} failed` : count
}

function figures({ value, before, threshold }: SummaryScore): string {
  const earlier = before === undefined ? '' : `, was ${rounded(before)}`
  const limits = limitsOf(threshold)
  return `${rounded(value)}${earlier}${limits ? ` (${limits})` : ''}`
}

const scoreRow = ({ name, value, before, threshold }: SummaryScore): string[] => [
  escaped(name),
  rounded(value),
  before === undefined ? '' : rounded(before),
  limitsOf(threshold),
]

function itemRow({ title, scores, error }: SummaryItem, names: readonly string[]): string[] {
  if (error !== undefined) return [`${escaped(title)}: ${escaped(error)}`, ...names.map(() => '')]
  const shown = (value: number | undefined) => (value === undefined ? '' : rounded(value))
  return [escaped(title), ...names.map((name) => shown(own(scores, name)))]
}

function limitsOf(threshold: SummaryScore['threshold']): string {
  const limits = Object.entries(threshold ?? {}) as [string, number][]
  return limits.map(([name, limit]) => `${name} ${rounded(limit)}`).join(', ')
}

/** Sorts failed items first, then those that got worse. */
function shownFirst({ items, worse }: ExperimentSummary): SummaryItem[] {
  const worseItems = new Set(worse.map(({ itemId }) => itemId))
  const rank = ({ itemId, error }: SummaryItem) => (error !== undefined ? 0 : worseItems.has(itemId) ? 1 : 2)
  return items.toSorted((a, b) => rank(a) - rank(b))
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const rounded = (value: number): string => String(Number(value.toFixed(3)))

// Titles contain data, which must not be parsed as Markdown.
const escaped = (text: string): string => text.replace(/[\\`*_[\]<>|#~!]/g, '\\$&').replace(/\p{Cc}+/gu, ' ')
