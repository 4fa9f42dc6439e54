import { foreignLines } from '@svc/core/foreign-text'
import { toText } from '@svc/core/json'
import type { ManagerParts } from '../parts.ts'
import { datasetItemOf } from './dataset-item.ts'
import type { Evaluation, ExperimentItemResult, ExperimentResult, FormatOptions } from './experiment-types.ts'

/** The content of a report. */
export interface Reported extends Omit<ExperimentResult, 'format'> {
  readonly name: string
  readonly description: string | undefined
  /** Items that a sampler dropped. */
  readonly unsampled: number
  /** Items that are in the data more than once. */
  readonly repeated: number
}

type Links = Pick<ManagerParts, 'getTraceUrl'>

const LONGEST = 50

/** Returns a report for a terminal: the items, if requested, then a summary. */
export async function reportOf(
  reported: Reported,
  links: Links,
  { includeItemResults = false }: FormatOptions = {},
): Promise<string> {
  const { itemResults, failedItems } = reported
  if (itemResults.length + failedItems.length === 0) return 'No experiment results to display.'
  const count = itemResults.length
  const items = includeItemResults
    ? await Promise.all(itemResults.map((result, at) => itemBlock(result, at + 1, reported, links)))
    : count > 0
      ? [
          `${count} item ${count === 1 ? 'result is' : 'results are'} not shown: format({ includeItemResults: true }) shows them.`,
        ]
      : []
  return [...items, summary(reported)].join('\n\n')
}

async function itemBlock(
  { item, input, expectedOutput, output, evaluations, traceId }: ExperimentItemResult,
  number: number,
  { experimentUrl }: Reported,
  { getTraceUrl }: Links,
): Promise<string> {
  // Without a link to the experiment the project is unknown, so there are no links.
  const traceUrl = experimentUrl && traceId ? await getTraceUrl(traceId) : undefined
  const ofDataset = datasetItemOf(item)
  const itemUrl = traceUrl && ofDataset && itemUrlOf(traceUrl, ofDataset)
  return lines([
    `${number}. Item`,
    `   Input:    ${short(input)}`,
    expectedOutput === undefined ? undefined : `   Expected: ${short(expectedOutput)}`,
    `   Actual:   ${short(output)}`,
    ...(evaluations.length > 0 ? ['   Scores:', ...evaluations.map((each) => `     ${scoreLine(each)}`)] : []),
    itemUrl && `   Dataset item: ${itemUrl}`,
    traceUrl && `   Trace:    ${traceUrl}`,
  ])
}

function summary(reported: Reported): string {
  const { itemResults, failedItems, archivedItems, runEvaluations, experimentUrl, unsampled, repeated } = reported
  const evaluations = itemResults.flatMap((each) => each.evaluations)
  const names = [...new Set(evaluations.map(({ name }) => name))]
  const failed = failedItems.length > 0 ? ` (${failedItems.length} failed)` : ''
  return lines([
    '-'.repeat(50),
    `Experiment: ${reported.name}`,
    `Run name: ${reported.runName}${reported.description ? ` - ${reported.description}` : ''}`,
    `Items: ${itemResults.length + failedItems.length}${failed}`,
    archivedItems.length > 0 ? `Archived, so left out: ${archivedItems.length}` : undefined,
    repeated > 0 ? `More than once in the data: ${repeated}` : undefined,
    unsampled > 0 ? `Not sampled, so missing in the experiment: ${unsampled}` : undefined,
    names.length > 0 ? `Evaluations: ${names.join(', ')}` : undefined,
    ...heading('Average scores:', averages(evaluations)),
    ...heading('Run evaluations:', runEvaluations.map(scoreLine)),
    experimentUrl && `Link: ${experimentUrl}`,
  ])
}

function averages(evaluations: readonly Evaluation[]): string[] {
  const totals = new Map<string, { sum: number; count: number }>()
  for (const { name, value } of evaluations) {
    if (typeof value !== 'number') continue
    const { sum, count } = totals.get(name) ?? { sum: 0, count: 0 }
    totals.set(name, { sum: sum + value, count: count + 1 })
  }
  return [...totals].map(([name, { sum, count }]) => `${name}: ${(sum / count).toFixed(3)}`)
}

function scoreLine({ name, value, comment }: Evaluation): string {
  return `${name}: ${typeof value === 'number' ? value.toFixed(3) : value}${comment ? ` (${comment})` : ''}`
}

function heading(title: string, entries: readonly string[]): string[] {
  return entries.length > 0 ? [title, ...entries.map((entry) => `  ${entry}`)] : []
}

function short(value: unknown): string {
  const text = toText(value) ?? String(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}...` : text
}

function itemUrlOf(traceUrl: string, { datasetId, id }: { datasetId: string; id: string }): string {
  const project = traceUrl.slice(0, traceUrl.lastIndexOf('/traces/'))
  return `${project}/datasets/${encodeURIComponent(datasetId)}/items/${encodeURIComponent(id)}`
}

function lines(all: readonly (string | false | undefined)[]): string {
  return all.flatMap((line) => (line ? foreignLines(line) : [])).join('\n')
}
