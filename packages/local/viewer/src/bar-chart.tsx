import { clock, utc } from './format.ts'

interface Bar {
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
const [WIDTH, HEIGHT] = [1_000, 60]

interface Props {
  readonly title: string
  /** In the order of time. Periods without a bar have nothing. */
  readonly bars: readonly Bar[]
  readonly show: (value: number) => string
}

/** Figures of periods as bars. */
export function BarChart({ title, bars, show }: Props) {
  if (bars.length === 0) return <div class="chart" />
  // The longest periods that all begin where one of these begins: each of them has one of these at most.
  const period = PERIODS.find(({ begins }) => bars.every(({ start }) => begins(new Date(start)))) as Period
  const [first, last] = [bars[0]?.start ?? 0, bars.at(-1)?.start ?? 0]
  const end = period.later(last, 1)
  const begin = Math.min(first, period.later(end, -LEAST))
  const most = bars.reduce((most, { value }) => Math.max(most, value), 0)
  const x = (time: number) => ((time - begin) / (end - begin)) * WIDTH
  const caption = `${title} per ${period.name}`
  return (
    <figure class="chart">
      <figcaption>
        {caption}
        <span class="dim">up to {show(most)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${caption}, from ${period.show(first)} to ${period.show(last)}: up to ${show(most)}`}
      >
        {bars.map(({ start, value }) => {
          const height = most > 0 ? (value / most) * HEIGHT : 0
          const width = (x(period.later(start, 1)) - x(start)) * 0.84
          return (
            <rect key={start} x={x(start)} y={HEIGHT - height} width={width} height={height}>
              <title>{`${period.show(start)}: ${show(value)}`}</title>
            </rect>
          )
        })}
      </svg>
      <div class="ends dim">
        <span>{period.show(begin)}</span>
        <span>{period.show(last)}</span>
      </div>
    </figure>
  )
}
