/** Makes one value of those of a group (appendix A: `DashboardWidgetMetricAggregation`). */
interface Aggregation {
  /** An aggregate of SQL over the expression of a measure. */
  readonly sql: (measure: string) => string
  /** Values of any type have it, not numbers alone. */
  readonly ofAny?: boolean
  /** The figure, where SQL gives all numbers of a group. Default: what SQL gives. */
  readonly ofNumbers?: (sorted: Float64Array, bins: number) => unknown
}

/** As REAL: a sum of large integers would be an error. */
const computed = (name: string): Aggregation => ({ sql: (measure) => `${name}(${measure} + 0.0)` })

/** The database collects the numbers of a group in one text: a row each would take three times as long. */
const ofAll = (ofNumbers: NonNullable<Aggregation['ofNumbers']>): Aggregation => ({
  sql: (measure) => `json_group_array(${measure})`,
  ofNumbers,
})

const percentile = (part: number) => ofAll((sorted) => quantile(sorted, part))

export const AGGREGATIONS: Readonly<Record<string, Aggregation>> & { readonly count: Aggregation } = {
  count: { sql: (measure) => `count(${measure})`, ofAny: true },
  uniq: { sql: (measure) => `count(DISTINCT ${measure})`, ofAny: true },
  sum: computed('sum'),
  avg: computed('avg'),
  min: computed('min'),
  max: computed('max'),
  p50: percentile(0.5),
  p75: percentile(0.75),
  p90: percentile(0.9),
  p95: percentile(0.95),
  p99: percentile(0.99),
  histogram: ofAll(histogram),
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
