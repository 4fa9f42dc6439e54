import type { ChartBar } from './bar-chart.tsx'
import { clock, utc } from './format.ts'

interface Figure {
  /** The beginning of its period, in milliseconds since 1970. */
  readonly start: number
  readonly value: number
}

interface Period {
  readonly name: string
  /** Whether a period begins at a time. */
  readonly begins: (date: Date) => boolean
  /** The beginning of the period that is so many later. */
  readonly later: (start: number, count: number) => number
  readonly show: (start: number) => string
}

const MINUTE = 60_000
const ofLength = (ms: number) => (start: number, count: number) => start + count * ms

/** From long to short. They are those of the metrics, in UTC. */
const PERIODS: readonly Period[] = [
  {
    name: 'month',
    begins: (date) => date.getUTCDate() === 1 && isMidnight(date),
    later: (start, count) => new Date(start).setUTCMonth(new Date(start).getUTCMonth() + count),
    show: (start) => utc(start).slice(0, 7),
  },
  { name: 'day', begins: isMidnight, later: ofLength(24 * 60 * MINUTE), show: (start) => utc(start).slice(0, 10) },
  { name: 'hour', begins: (date) => date.getUTCMinutes() === 0, later: ofLength(60 * MINUTE), show: clock },
  { name: 'minute', begins: () => true, later: ofLength(MINUTE), show: clock },
]

function isMidnight(date: Date): boolean {
  return date.getUTCHours() === 0 && date.getUTCMinutes() === 0
}

/** There is room for so many periods at least: few bars are not made wide. */
const LEAST = 30

/**
 * Figures of periods as bars. Periods without a figure have none.
 *
 * @param figures in the order of time, one at least
 */
export function periodBars(figures: readonly Figure[]) {
  // The longest periods that all begin where one of these begins: each of them has one of these at most.
  const period = PERIODS.find(({ begins }) => figures.every(({ start }) => begins(new Date(start)))) as Period
  const [first, last] = [figures[0]?.start ?? 0, figures.at(-1)?.start ?? 0]
  const end = period.later(last, 1)
  const begin = Math.min(first, period.later(end, -LEAST))
  const part = (time: number) => (time - begin) / (end - begin)
  const bars = figures.map(({ start, value }): ChartBar => {
    const left = part(start)
    return { name: period.show(start), value, left, width: part(period.later(start, 1)) - left }
  })
  return { bars, name: period.name, ends: [period.show(begin), period.show(last)] as const }
}
