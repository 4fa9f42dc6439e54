import { useMemo } from 'preact/hooks'

/** Most lines, or words, of one side that are compared; a note counts the rest. */
const COMPARED = 1_500

type Step = readonly [sign: ' ' | '-' | '+', piece: string]

interface Props {
  readonly before: string
  readonly after: string
  readonly unit?: 'line' | 'word'
}

/** Shows the changes between two texts, line by line, or word by word where they are short. */
export function Diff({ before, after, unit = 'line' }: Props) {
  const steps = useMemo(() => {
    const pieces = (text: string) => text.split(unit === 'line' ? '\n' : /(?<=\s)/)
    return stepsOf(pieces(before), pieces(after), unit)
  }, [before, after, unit])
  if (before === after) return <p class="dim">No difference</p>
  if (unit === 'word') return <Words steps={steps} />
  return (
    <pre class="diff">
      {steps.map(([sign, line], at) => (
        <span key={`${at}${sign}`} class={CLASSES[sign]}>
          {`${sign} ${line}\n`}
        </span>
      ))}
    </pre>
  )
}

const TAGS = { ' ': 'span', '-': 'del', '+': 'ins' } as const

function Words({ steps }: { steps: readonly Step[] }) {
  return (
    <div class="diff words">
      {steps.map(([sign, piece], at) => {
        const Tag = TAGS[sign]
        return (
          <Tag key={`${at}${sign}`} class={CLASSES[sign]}>
            {piece}
          </Tag>
        )
      })}
    </div>
  )
}

const CLASSES = { ' ': 'same', '-': 'gone', '+': 'come' }

/** The longest common pieces stay, the others go and come. */
function stepsOf(all: readonly string[], others: readonly string[], unit: string): readonly Step[] {
  const [a, b] = [all.slice(0, COMPARED), others.slice(0, COMPARED)]
  const width = b.length + 1
  const common = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [down, right] = [common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0]
      common[i * width + j] = a[i] === b[j] ? (common[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(down, right)
    }
  }
  const steps: Step[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [down, right] = [common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0]
    if (i < a.length && j < b.length && a[i] === b[j]) {
      steps.push([' ', a[i] ?? ''])
      i += 1
      j += 1
    } else if (j >= b.length || (i < a.length && down >= right)) {
      steps.push(['-', a[i] ?? ''])
      i += 1
    } else {
      steps.push(['+', b[j] ?? ''])
      j += 1
    }
  }
  const left = all.length - a.length + (others.length - b.length)
  return left > 0 ? [...steps, [' ', `… ${left} more ${unit}s`]] : steps
}

/** A value as text that can be compared. */
export const comparable = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
