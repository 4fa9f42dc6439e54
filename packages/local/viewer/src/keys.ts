import { useLayoutEffect, useRef } from 'preact/hooks'

type Handlers = Readonly<Record<string, (event: KeyboardEvent) => void>>

/** Handles keys, except in a text field, which `Escape` leaves, and beside an open dialog. */
export function useKeys(handlers: Handlers): void {
  const latest = useRef(handlers)
  latest.current = handlers
  // As soon as what the keys are for is there: other effects come after it is drawn.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const typing =
        event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable]')
      if (document.querySelector('dialog[open]')) return
      if (typing) {
        if (event.key === 'Escape') (event.target as HTMLElement).blur()
        return
      }
      const onControl = event.target instanceof HTMLElement && event.target.closest('a, button, summary')
      if (onControl && event.key === 'Enter') return
      const handler = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (!handler) return
      event.preventDefault()
      handler(event)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** The list that `?` shows. */
export const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['j  ↓', 'next row'],
  ['k  ↑', 'previous row'],
  ['Enter', 'open the row, or go to the next that was found in a trace'],
  ['←  →', 'close or open a step of a trace'],
  ['/', 'search'],
  ['e', 'next error or warning of a trace'],
  ['r', 'formatted, or raw JSON'],
  ['c', 'mark for comparing, then compare with'],
  ['x', 'select the trace, to add it to a dataset'],
  ['Esc', 'leave a field, or the trace'],
  ['?', 'this list'],
]
