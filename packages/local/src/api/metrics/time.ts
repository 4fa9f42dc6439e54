export const GRANULARITIES = ['auto', 'minute', 'hour', 'day', 'week', 'month'] as const
export type Granularity = (typeof GRANULARITIES)[number]

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Start of the period that a time lies in, ISO 8601 in UTC. Weeks begin on Monday. */
export function periodOf(time: number, granularity: Exclude<Granularity, 'auto'>): string {
  return new Date(STARTS[granularity](time)).toISOString()
}

const STARTS: Readonly<Record<Exclude<Granularity, 'auto'>, (time: number) => number>> = {
  minute: (time) => time - modulo(time, MINUTE),
  hour: (time) => time - modulo(time, HOUR),
  day: (time) => time - modulo(time, DAY),
  // 1 January 1970 was a Thursday.
  week: (time) => time - modulo(time + 3 * DAY, 7 * DAY),
  month: (time) => Date.UTC(new Date(time).getUTCFullYear(), new Date(time).getUTCMonth()),
}

/** What `auto` means for times this far apart. */
export function fittingGranularity(span: number): Exclude<Granularity, 'auto'> {
  if (span <= 2 * HOUR) return 'minute'
  if (span <= 3 * DAY) return 'hour'
  return span <= 90 * DAY ? 'day' : 'month'
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by
