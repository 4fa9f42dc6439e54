/** How the values of a group become one (appendix A: `DashboardWidgetMetricAggregation`). */
export type Aggregation = (values: readonly unknown[], bins: number) => unknown

const numbers =
  (reduce: (values: readonly number[]) => number): Aggregation =>
  (values) => {
    const found = values.filter((value) => typeof value === 'number')
    return found.length === 0 ? null : reduce(found)
  }
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const percentile = (part: number) => numbers((values) => quantile(values, part))

export const AGGREGATIONS: Readonly<Record<string, Aggregation>> = {
  count: (values) => values.filter((value) => value !== null).length,
  uniq: (values) => new Set(values.filter((value) => value !== null)).size,
  sum: numbers(sum),
  avg: numbers((values) => sum(values) / values.length),
  min: numbers((values) => values.reduce((least, value) => Math.min(least, value))),
  max: numbers((values) => values.reduce((most, value) => Math.max(most, value))),
  p50: percentile(0.5),
  p75: percentile(0.75),
  p90: percentile(0.9),
  p95: percentile(0.95),
  p99: percentile(0.99),
  histogram: (values, bins) =>
    histogram(
      values.filter((value) => typeof value === 'number'),
      bins,
    ),
}

/** Between two values it is interpolated. */
function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * part
  const below = sorted[Math.floor(place)] ?? 0
  const above = sorted[Math.ceil(place)] ?? below
  return below + (above - below) * (place - Math.floor(place))
}

/** Lower bound, upper bound and count of each bin; all bins are of the same width. */
function histogram(values: readonly number[], bins: number): [number, number, number][] {
  if (values.length === 0) return []
  const least = values.reduce((a, b) => Math.min(a, b))
  const width = (values.reduce((a, b) => Math.max(a, b)) - least) / bins || 1
  const counts = new Map<number, number>()
  for (const value of values) {
    const bin = Math.min(Math.floor((value - least) / width), bins - 1)
    counts.set(bin, (counts.get(bin) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([bin, count]) => [least + bin * width, least + (bin + 1) * width, count])
}
