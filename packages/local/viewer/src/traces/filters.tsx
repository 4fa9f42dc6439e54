import { useState } from 'preact/hooks'
import type { Choices } from '../../../src/trace/pages/choices.ts'
import { useAnswer, useLast } from '../api.ts'
import { exact } from '../format.ts'
import { useLive, useSoon } from '../live.ts'
import { go, type PageLocation, withQuery } from '../router.ts'

/** The filters by value, with their names in the URL and in the panel. */
const CHOSEN = [
  ['name', 'Name'],
  ['level', 'Level'],
  ['model', 'Model'],
  ['environment', 'Environment'],
  ['tag', 'Tag'],
  ['user', 'User'],
  ['session', 'Session'],
  ['score', 'Score'],
] as const

const LEVELS: Choices['name'] = [
  ['ERROR', 0],
  ['WARNING', 0],
  ['DEFAULT', 0],
]

/** Numbers and times, with the unit that the panel asks for. */
const BOUNDS = [
  ['from', 'From', 'datetime-local'],
  ['to', 'Until', 'datetime-local'],
  ['minLatency', 'Latency from, ms', 'number'],
  ['maxLatency', 'Latency to, ms', 'number'],
  ['minCost', 'Cost from, $', 'number'],
  ['maxCost', 'Cost to, $', 'number'],
] as const

export const FILTERS: readonly string[] = [...CHOSEN, ...BOUNDS].map(([name]) => name)

interface FiltersProps {
  readonly place: PageLocation
  /** The names in {@link FILTERS} that the page has. */
  readonly names: readonly string[]
}

interface PanelProps extends FiltersProps {
  /** Which of them are shown without a click. */
  readonly open: readonly string[]
  readonly choices: Choices | undefined
}

/** Milliseconds between two looks at what arrives: counting takes longer than reading a page. */
const LOOK = 1_000

/** What the filters offer. @param asked the query whose traces are counted beside the values. All are without it. */
export function useChoices(asked = ''): Choices | undefined {
  const { data, reload } = useAnswer<Choices>(`/viewer/choices?${asked}`)
  useLive(useSoon(reload, LOOK))
  return useLast(data)
}

/** A panel beside the list; in a small window a sheet over it, with a button of its own. */
export function Filters({ place, names, open, choices }: PanelProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { query } = place
  const bounds = BOUNDS.filter(([name]) => names.includes(name))
  return (
    <>
      <button type="button" class="filters-open" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Filters
      </button>
      <aside class={isOpen ? 'filters open' : 'filters'} aria-label="Filters">
        {CHOSEN.filter(([name]) => names.includes(name)).map(([name, title]) => {
          const values = name === 'level' ? LEVELS : (choices?.[name] ?? [])
          const chosen = query.getAll(name)
          const missing = chosen.filter((value) => !values.some(([known]) => known === value))
          const all = [...missing.map((value): [string, number] => [value, 0]), ...values]
          if (all.length === 0) return null
          return (
            <details key={name} open={chosen.length > 0 || open.includes(name)}>
              <summary>{title}</summary>
              {all.slice(0, 30).map(([value, count]) => (
                <label key={value} class="choice">
                  <input
                    type="checkbox"
                    checked={chosen.includes(value)}
                    onChange={({ currentTarget }) =>
                      go(
                        withQuery({
                          [name]: currentTarget.checked ? [...chosen, value] : chosen.filter((each) => each !== value),
                        }),
                      )
                    }
                  />
                  <span class="cut" title={value}>
                    {value}
                  </span>
                  {count > 0 && <span class="count">{exact(count)}</span>}
                </label>
              ))}
              {name === 'score' && <ScoreBound chosen={chosen} />}
            </details>
          )
        })}
        <details open={bounds.some(([name]) => query.has(name) || open.includes(name))}>
          <summary>{bounds.some(([name]) => name === 'minCost') ? 'Time, latency, cost' : 'Time'}</summary>
          {bounds.map(([name, title, type]) => (
            <label key={name} class="bound">
              <span>{title}</span>
              <input
                type={type}
                min="0"
                step="any"
                value={shown(query.get(name), type)}
                onChange={({ currentTarget }) => go(withQuery({ [name]: shownValue(currentTarget.value, type) }))}
              />
            </label>
          ))}
        </details>
      </aside>
    </>
  )
}

function ScoreBound({ chosen }: { chosen: readonly string[] }) {
  const add = (event: Event) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const value = String(new FormData(form).get('score') ?? '').trim()
    form.reset()
    if (value !== '') go(withQuery({ score: [...chosen, value] }))
  }
  return (
    <form onSubmit={add}>
      <input name="score" placeholder="quality>=0.5" aria-label="Score and its value" />
    </form>
  )
}

/** The URL has UTC, the field local time. */
function shownValue(value: string, type: string): string {
  return type === 'number' || value === '' ? value : new Date(value).toISOString()
}

function shown(value: string | null, type: string): string {
  if (value === null || type === 'number') return value ?? ''
  const date = new Date(value)
  return Number.isNaN(date.getTime())
    ? ''
    : new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The filters that hold, each with a way to drop it. */
export function Chips({ place: { query }, names }: FiltersProps) {
  const held = [...query].filter(([name, value]) => names.includes(name) && value !== '')
  if (held.length === 0) return null
  const without = (name: string, value: string) => query.getAll(name).filter((each) => each !== value)
  return (
    <div class="chips">
      {held.map(([name, value]) => (
        <button
          key={`${name} ${value}`}
          type="button"
          class="chip"
          title="Drop this filter"
          onClick={() => go(withQuery({ [name]: without(name, value) }))}
        >
          <span class="dim">{name}</span> {value} ×
        </button>
      ))}
      <button
        type="button"
        class="quiet"
        onClick={() => go(withQuery(Object.fromEntries(names.map((name) => [name, undefined]))))}
      >
        Clear
      </button>
    </div>
  )
}
