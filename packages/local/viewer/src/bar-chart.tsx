/** Where a bar stands, as parts of the width of its chart. */
export interface ChartBar {
  readonly name: string
  readonly value: number
  readonly left: number
  readonly width: number
}

interface Props {
  readonly caption: string
  /** From left to right. */
  readonly bars: readonly ChartBar[]
  readonly show: (value: number) => string
  /** What stands below the left and the right end. */
  readonly ends?: readonly [string, string]
}

const [WIDTH, HEIGHT] = [1_000, 60]
/** The part of its place that a bar takes. */
const FILLED = 0.84

/** Figures as bars; those below zero hang from its line. */
export function BarChart({ caption, bars, show, ends }: Props) {
  if (bars.length === 0) return <div class="chart" />
  const values = bars.map(({ value }) => value)
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const y = (value: number) => (1 - (value - least) / (most - least || 1)) * HEIGHT
  const highest = show(Math.max(...values))
  return (
    <figure class="chart">
      <figcaption>
        {caption}
        <span class="dim">up to {highest}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${caption}, from ${bars[0]?.name} to ${bars.at(-1)?.name}: up to ${highest}`}
      >
        {bars.map(({ name, value, left, width }) => (
          <rect
            key={left}
            x={left * WIDTH}
            width={width * WIDTH * FILLED}
            y={Math.min(y(value), y(0))}
            height={Math.abs(y(value) - y(0))}
          >
            <title>{`${name}: ${show(value)}`}</title>
          </rect>
        ))}
      </svg>
      {ends && (
        <div class="ends dim">
          {ends.map((end) => (
            <span key={end}>{end}</span>
          ))}
        </div>
      )}
    </figure>
  )
}
