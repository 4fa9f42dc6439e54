import { ownFields } from '@svc/core/own'
import { asNumber, asRecord, defined } from './read.ts'

/** Token counts with details by any name, which are included in the sums. */
export interface DetailedCounts {
  readonly input: number | undefined
  readonly output: number | undefined
  readonly total: number | undefined
  readonly inputDetails: Details
  readonly outputDetails: Details
  /** Counts that are parts of the output and priced like it. */
  readonly predictions?: Details | undefined
}

/** Counts by name. */
export type Details = Readonly<Record<string, number>>

/** Most details of one sum. */
const DETAIL_LIMIT = 32

export function readDetails(details: unknown): Details {
  const numbers: Record<string, number> = ownFields({})
  for (const [name, count] of Object.entries(asRecord(details)).slice(0, DETAIL_LIMIT)) {
    const number = asNumber(count)
    if (number !== undefined) numbers[name] = number
  }
  return numbers
}

/** Converts to the service's counts, none of them counted twice: `input_cache_read` beside an `input` without it. */
export function toUsageDetails(counts: DetailedCounts): Record<string, number> {
  const { input, output, total, inputDetails, outputDetails, predictions } = counts
  return {
    ...defined({ input: subtractDetails(input, inputDetails), output: subtractDetails(output, outputDetails), total }),
    ...prefixDetails('input', inputDetails),
    ...prefixDetails('output', outputDetails),
    ...predictions,
  }
}

function subtractDetails(sum: number | undefined, details: Details): number | undefined {
  return sum === undefined ? undefined : Object.values(details).reduce((rest, count) => Math.max(0, rest - count), sum)
}

function prefixDetails(prefix: string, details: Details): Details {
  return Object.fromEntries(Object.entries(details).map(([name, count]) => [`${prefix}_${name}`, count]))
}
