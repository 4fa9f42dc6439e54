import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ListedTrace, TraceList } from '../../../src/trace/pages/trace-list.ts'
import { request } from '../api.ts'
import { useLive, useSoon } from '../live.ts'

const PAGE = 100
/** Milliseconds between two looks at what arrives. */
const LOOK = 250

export interface TraceRows {
  /** The number of traces that fit; undefined until the first answer. */
  readonly total: number | undefined
  /** What is shown is still that of the query before. */
  readonly stale: boolean
  readonly error: Error | undefined
  at(index: number): ListedTrace | undefined
  /** These rows are in sight. */
  see(first: number, last: number): void
}

/** The traces of a query, a page at a time, as far as they are in sight; they change as traces arrive. */
export function useRows(query: string): TraceRows {
  const pages = useRef(new Map<number, readonly ListedTrace[]>())
  const sight = useRef({ first: 0, last: 0 })
  const wanted = useRef('')
  const shown = useRef('')
  const [state, setState] = useState<{ total: number | undefined; error: Error | undefined; turn: number }>({
    total: undefined,
    error: undefined,
    turn: 0,
  })

  const load = useCallback(
    async (page: number) => {
      try {
        const list = await request<TraceList>(
          `/viewer/traces?${query}${query && '&'}limit=${PAGE}&offset=${page * PAGE}`,
        )
        if (wanted.current !== query) return
        if (shown.current !== query) pages.current = new Map()
        shown.current = query
        pages.current.set(page, list.data)
        setState(({ turn }) => ({ total: list.total, error: undefined, turn: turn + 1 }))
      } catch (error) {
        if (wanted.current === query) setState((state) => ({ ...state, error: error as Error }))
      }
    },
    [query],
  )

  const pagesInSight = () => {
    const { first, last } = sight.current
    return Array.from(
      { length: Math.floor(last / PAGE) - Math.floor(first / PAGE) + 1 },
      (_, at) => Math.floor(first / PAGE) + at,
    )
  }

  useEffect(() => {
    wanted.current = query
    sight.current = { first: 0, last: 0 }
    void load(0)
  }, [query, load])

  const see = useCallback(
    (first: number, last: number) => {
      sight.current = { first, last }
      for (const page of pagesInSight()) {
        if (pages.current.has(page)) continue
        pages.current.set(page, [])
        void load(page)
      }
    },
    [load],
  )

  const look = () => {
    const inSight = pagesInSight()
    for (const page of [...pages.current.keys()]) if (!inSight.includes(page)) pages.current.delete(page)
    for (const page of inSight) void load(page)
  }
  useLive(useSoon(look, LOOK))

  return {
    total: state.total,
    stale: shown.current !== query,
    error: state.error,
    at: (index) => pages.current.get(Math.floor(index / PAGE))?.[index % PAGE],
    see,
  }
}
