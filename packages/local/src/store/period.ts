export const GRANULARITIES = ['auto', 'minute', 'hour', 'day', 'week', 'month'] as const
export type Granularity = (typeof GRANULARITIES)[number]
export type Length = Exclude<Granularity, 'auto'>

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Milliseconds that a period consists of whole ones of. */
const UNITS: Readonly<Record<Length, number>> = { minute: MINUTE, hour: HOUR, day: DAY, week: DAY, month: DAY }

/** Returns where the period begins whose unit begins at a time. Periods are in UTC, and weeks begin on Monday. */
const STARTS: Readonly<Record<Length, (time: number) => number>> = {
  minute: (time) => time,
  hour: (time) => time,
  day: (time) => time,
  // 1 January 1970 was a Thursday.
  week: (time) => time - ((((time / DAY + 3) % 7) + 7) % 7) * DAY,
  month: (time) => new Date(time).setUTCDate(1),
}

/** The first time that a `Date` has. The week and the month that it is in begin before it. */
const LEAST_DATE = -8.64e15

/** Returns where the period begins that a time is in. Both are milliseconds since 1970. */
export function startOfPeriod(time: number, granularity: Length): number {
  const unit = UNITS[granularity]
  const start = STARTS[granularity](Math.floor(time / unit) * unit)
  return Number.isNaN(start) ? LEAST_DATE : Math.max(start, LEAST_DATE)
}

/** Returns what `auto` means for times this far apart. */
export function fittingGranularity(span: number): Length {
  if (span <= 2 * HOUR) return 'minute'
  if (span <= 3 * DAY) return 'hour'
  return span <= 90 * DAY ? 'day' : 'month'
}
