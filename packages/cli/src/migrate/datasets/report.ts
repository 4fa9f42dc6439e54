import { foreignText } from '@svc/core/foreign-text'
import { counted } from './counted.ts'
import type { Imported } from './dataset-import.ts'

/** Returns the result of a dataset as lines, and whether its counts match. */
export function reportOf({ name, progress, count, refusals }: Imported): { lines: string[]; matches: boolean } {
  const { done, leftOut, refused, madeIds } = progress
  const matches = count === done - leftOut
  const head = `${foreignText(name, 80)}: ${amount(done, 'row')}, ${amount(count, 'item')}${matches ? '' : ': the counts differ'}.`
  const notes = [
    leftOut > 0 && `${amount(leftOut, 'row')} left out by the mapping`,
    madeIds > 0 && `${amount(madeIds, 'row')} without an id: the item has a hash of the content as its id`,
    refused > 0 && `${amount(refused, 'item')} refused by the service:`,
    ...refusals.map((refusal) => `  ${refusal}`),
    ...(matches ? [] : reasons({ name, progress, count, refusals })),
  ]
  return { lines: [head, ...notes.filter((note) => note !== false).map((note) => `  ${note}`)], matches }
}

function reasons({ progress, count }: Imported): string[] {
  const { rows, done, leftOut, before } = progress
  const found = [
    before > 0 && `the dataset had ${amount(before, 'item')} before`,
    rows !== done && `the source changed during the import: it had ${amount(rows, 'row')}`,
    count < done - leftOut && 'rows with the same id, or equal rows without an id, become one item',
  ]
  return found.filter((each) => each !== false)
}

/** Returns the lines about what is never copied. */
export function leftBehindOf(all: readonly Imported[]): string[] {
  const [times, annotations] = (['times', 'annotations'] as const).map((column) =>
    all.reduce((sum, { progress }) => sum + progress[column], 0),
  )
  return [
    'Not copied:',
    '  earlier versions of a dataset: the latest is copied',
    ...(times ? [`  created and updated times (${amount(times, 'row')}): the service sets its own`] : []),
    ...(annotations ? [`  annotations (${amount(annotations, 'row')}): --map can copy them to the metadata`] : []),
    '  experiments and their scores: run them again over the dataset',
  ]
}

const amount = (count: number, what: string): string => `${counted(count)} ${what}${count === 1 ? '' : 's'}`
