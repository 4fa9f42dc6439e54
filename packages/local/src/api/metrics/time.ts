import { dividedBy, type Groups } from './groups.ts'

export const GRANULARITIES = ['auto', 'minute', 'hour', 'day', 'week', 'month'] as const
export type Granularity = (typeof GRANULARITIES)[number]
type Length = Exclude<Granularity, 'auto'>

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Milliseconds that a period consists of whole ones of. */
const UNITS: Readonly<Record<Length, number>> = { minute: MINUTE, hour: HOUR, day: DAY, week: DAY, month: DAY }

/** Where a period begins whose unit begins at a time. Periods are in UTC, and weeks begin on Monday. */
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

/** Groups whose rows are of the same period, too, and where the period of each begins, in milliseconds since 1970. */
export function dividedByPeriod(
  groups: Groups,
  { times, perMs, granularity }: { times: Float64Array; perMs: number; granularity: Length },
): { groups: Groups; startOf: (row: number) => number } {
  const unit = UNITS[granularity] * perMs
  const starts: number[] = []
  const numbers = new Map<number, number>()
  const units = new Map<number, number>()
  const numberOf = (at: number): number => {
    const begin = STARTS[granularity](at * UNITS[granularity])
    const start = Number.isNaN(begin) ? LEAST_DATE : Math.max(begin, LEAST_DATE)
    const number = numbers.get(start) ?? starts.push(start) - 1
    numbers.set(start, number)
    units.set(at, number)
    return number
  }
  const keys = new Int32Array(groups.of.length)
  // Most rows are of the same period as the one before.
  let [before, number] = [Number.NaN, 0]
  for (let row = 0; row < keys.length; row += 1) {
    if (groups.of[row] === -1) continue
    const at = Math.floor((times[row] ?? 0) / unit)
    if (at !== before) [before, number] = [at, units.get(at) ?? numberOf(at)]
    keys[row] = number
  }
  return { groups: dividedBy(groups, keys, starts.length), startOf: (row) => starts[keys[row] ?? 0] ?? 0 }
}

/** What `auto` means for times this far apart. */
export function fittingGranularity(span: number): Length {
  if (span <= 2 * HOUR) return 'minute'
  if (span <= 3 * DAY) return 'hour'
  return span <= 90 * DAY ? 'day' : 'month'
}
