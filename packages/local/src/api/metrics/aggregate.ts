import type { Groups } from './groups.ts'

/** What is measured. */
export interface Measured {
  readonly groups: Groups
  /** Of each row a number, NaN when it has none; or the number of a value of another type, 0 when it has none. */
  readonly data: Float64Array | Int32Array
  readonly bins: number
}

/** How the values of each group become one (appendix A: `DashboardWidgetMetricAggregation`). */
type Aggregation = (measured: Measured) => readonly unknown[]

const percentile =
  (part: number): Aggregation =>
  (measured) =>
    numbersOf(measured).map((sorted) => quantile(sorted, part))

export const AGGREGATIONS: Readonly<Record<string, Aggregation>> & { readonly count: Aggregation } = {
  count: countOf,
  uniq: countDifferent,
  sum: (measured) => combined(measured, (sum, value) => sum + value),
  avg: (measured) => {
    const counts = countOf(measured)
    return combined(measured, (sum, value) => sum + value).map((sum, group) => sum && sum / (counts[group] ?? 1))
  },
  min: (measured) => combined(measured, Math.min),
  max: (measured) => combined(measured, Math.max),
  p50: percentile(0.5),
  p75: percentile(0.75),
  p90: percentile(0.9),
  p95: percentile(0.95),
  p99: percentile(0.99),
  histogram: (measured) => numbersOf(measured).map((sorted) => histogram(sorted, measured.bins)),
}

/** Calls `act` for each row that is in a group and has a value. */
function forEach({ groups, data }: Measured, act: (group: number, value: number) => void): void {
  const none = data instanceof Int32Array ? 0 : Number.NaN
  for (let row = 0; row < groups.of.length; row += 1) {
    const group = groups.of[row] ?? -1
    const value = data[row] ?? none
    if (group >= 0 && !Object.is(value, none)) act(group, value)
  }
}

function countOf(measured: Measured): number[] {
  const counts = new Array<number>(measured.groups.count).fill(0)
  forEach(measured, (group) => {
    counts[group] = (counts[group] ?? 0) + 1
  })
  return counts
}

function countDifferent(measured: Measured): number[] {
  const values = measured.groups.examples.map(() => new Set<number>())
  forEach(measured, (group, value) => values[group]?.add(value))
  return values.map(({ size }) => size)
}

/** Of each group its numbers in one; null of none. */
function combined(measured: Measured, by: (one: number, other: number) => number): (number | null)[] {
  const results = new Array<number | null>(measured.groups.count).fill(null)
  if (measured.data instanceof Int32Array) return results
  forEach(measured, (group, value) => {
    const before = results[group] ?? null
    results[group] = before === null ? value : by(before, value)
  })
  return results
}

/** The numbers of each group, in rising order. */
function numbersOf(measured: Measured): Float64Array[] {
  if (measured.data instanceof Int32Array) return measured.groups.examples.map(() => new Float64Array())
  const numbers = countOf(measured).map((count) => new Float64Array(count))
  const filled = new Int32Array(numbers.length)
  forEach(measured, (group, value) => {
    const at = filled[group] ?? 0
    const own = numbers[group]
    if (own) own[at] = value
    filled[group] = at + 1
  })
  return numbers.map((own) => own.sort())
}

/** Between two values it is interpolated; null of none. */
function quantile(sorted: Float64Array, part: number): number | null {
  if (sorted.length === 0) return null
  const place = (sorted.length - 1) * part
  const below = sorted[Math.floor(place)] ?? 0
  const above = sorted[Math.ceil(place)] ?? below
  return below + (above - below) * (place - Math.floor(place))
}

/** Lower bound, upper bound and count of each bin; all bins are of the same width. */
function histogram(sorted: Float64Array, bins: number): [number, number, number][] {
  const least = sorted[0]
  if (least === undefined) return []
  const width = ((sorted.at(-1) ?? least) - least) / bins || 1
  const counts = new Map<number, number>()
  for (const value of sorted) {
    const bin = Math.min(Math.floor((value - least) / width), bins - 1)
    counts.set(bin, (counts.get(bin) ?? 0) + 1)
  }
  return [...counts].map(([bin, count]) => [least + bin * width, least + (bin + 1) * width, count])
}
