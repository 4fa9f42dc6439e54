import type { Outline } from '../../../src/trace/pages/trace.ts'
import type { ScoreMark } from '../../../src/trace/pages/trace-list.ts'
import { amount, dollars, duration } from '../format.ts'
import { withQuery } from '../router.ts'
import { VirtualRows } from '../virtual.tsx'
import type { Line } from './rows.ts'

const ROW = 28
const INDENT = 14
const MAX_INDENT = 14
const MARKS = [0, 0.25, 0.5]
const WITHIN = { right: '6px' }
const SHORT: Readonly<Record<string, string>> = {
  GENERATION: 'MODEL',
  EMBEDDING: 'EMBED',
  RETRIEVER: 'RETR',
  EVALUATOR: 'EVAL',
  GUARDRAIL: 'GUARD',
}

interface Props {
  readonly lines: readonly Line[]
  readonly begin: number
  readonly end: number
  readonly selected: number
  /** Ids of what a search has found. */
  readonly hits: ReadonlySet<string>
  /** Ids of what has not ended. */
  readonly running: ReadonlySet<string>
  readonly scores: ReadonlyMap<string | null, readonly ScoreMark[]>
  readonly onToggle: (id: string) => void
}

/** The tree of a trace beside its waterfall. */
export function Waterfall({ lines, begin, end, selected, hits, running, scores, onToggle }: Props) {
  const whole = Math.max(1, end - begin)
  return (
    <VirtualRows
      count={lines.length}
      rowHeight={ROW}
      label="Observations"
      role="tree"
      shown={selected}
      header={
        <div class="axis" role="presentation" aria-hidden="true">
          <span class="tree-side" />
          <span class="time-side">
            {MARKS.map((part) => (
              <span key={part} style={{ left: `${part * 100}%` }}>
                {duration(part * whole)}
              </span>
            ))}
            <span class="last">{duration(whole)}</span>
          </span>
        </div>
      }
      row={(index, style) => {
        const line = lines[index]
        if (!line) return null
        const { node, depth, children, open, isOrphan } = line
        const marks = scores.get(node.id) ?? []
        return (
          <div
            key={node.id}
            class={`line ${node.level}${index === selected ? ' selected' : ''}${hits.has(node.id) ? ' hit' : ''}${running.has(node.id) ? ' runs' : ''}`}
            role="treeitem"
            tabIndex={-1}
            aria-level={depth + 1}
            aria-selected={index === selected}
            aria-expanded={children > 0 ? open : undefined}
            style={style}
          >
            <span class="tree-side" style={{ paddingLeft: `${8 + Math.min(depth, MAX_INDENT) * INDENT}px` }}>
              {children > 0 ? (
                <button
                  type="button"
                  class="toggle"
                  tabIndex={-1}
                  aria-label={open ? 'Close' : 'Open'}
                  onClick={() => onToggle(node.id)}
                >
                  {open ? '▾' : '▸'}
                </button>
              ) : (
                <span class="toggle" />
              )}
              <span class={`kind ${node.type}`} title={node.type}>
                {SHORT[node.type] ?? node.type}
              </span>
              {depth > MAX_INDENT && (
                <span class="dim" title={`Level ${depth + 1}`}>
                  {depth + 1}
                </span>
              )}
              <a class="cover cut" tabIndex={-1} href={withQuery({ observation: node.id })}>
                {node.name}
              </a>
              {node.level !== 'DEFAULT' && node.level !== 'DEBUG' && (
                <span class={`badge ${node.level}`}>{node.level.toLowerCase()}</span>
              )}
              {isOrphan && (
                <span class="badge" title={`Its parent ${node.parentId} has not arrived`}>
                  no parent
                </span>
              )}
              {marks.length > 0 && (
                <span class="badge score">{marks.length === 1 ? marks[0]?.name : `${marks.length} scores`}</span>
              )}
              <span class="space" />
              <span class="dim cut facts">{factsOf(node)}</span>
            </span>
            <span class="time-side">
              <Bar node={node} begin={begin} whole={whole} />
            </span>
          </div>
        )
      }}
    />
  )
}

function factsOf({ tokens, cost, estimated }: Outline): string {
  const facts = [
    tokens.total > 0 ? `${amount(tokens.input)} → ${amount(tokens.output)}` : '',
    cost === null ? '' : dollars(cost, estimated),
  ]
  return facts.filter((fact) => fact !== '').join('  ')
}

function Bar({ node, begin, whole }: { node: Outline; begin: number; whole: number }) {
  const { startTime, endTime, completionStartTime: first, type } = node
  const part = (micros: number) => (micros / whole) * 100
  const left = part(startTime - begin)
  const width = part(endTime - startTime)
  const wait = first === null || first <= startTime || first > endTime ? 0 : part(first - startTime)
  const right = left + width
  // After the bar, before it, or within where it leaves no room.
  const place =
    right < 80 ? { left: `calc(${right}% + 6px)` } : left > 20 ? { right: `calc(${100 - left}% + 6px)` } : WITHIN
  return (
    <>
      <span class={`time-bar ${type}`} style={{ left: `${left}%`, width: `max(2px, ${width}%)` }}>
        {wait > 0 && (
          <span
            class="wait"
            style={{ width: `${(wait / width) * 100}%` }}
            title={`First token after ${duration((first ?? startTime) - startTime)}`}
          />
        )}
      </span>
      <span class={place === WITHIN ? 'time-label within' : 'time-label'} style={place}>
        {duration(endTime - startTime)}
      </span>
    </>
  )
}
