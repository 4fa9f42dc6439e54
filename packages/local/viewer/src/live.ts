import { useEffect, useRef, useState } from 'preact/hooks'

/** A change on the service. */
export interface Change {
  readonly traces: readonly string[]
  /** Paths of the API that were written to. */
  readonly things: readonly string[]
  /** The channel was closed for a while, or much has come: anything may have changed. */
  readonly all?: boolean
}

const listeners = new Set<(change: Change) => void>()
const watchers = new Set<(open: boolean) => void>()
let source: EventSource | undefined

function connect(): void {
  if (source) return
  source = new EventSource('/viewer/live')
  source.onmessage = ({ data }) => notify(JSON.parse(data) as Change)
  source.onopen = () => {
    for (const watcher of watchers) watcher(true)
    // Also the first time: something may have come after the page had looked, and before it listened.
    notify({ traces: [], things: [], all: true })
  }
  source.onerror = () => {
    for (const watcher of watchers) watcher(false)
  }
}

function notify(change: Change): void {
  for (const listener of [...listeners]) listener(change)
}

/** Calls back at every change. */
export function useLive(onChange: (change: Change) => void): void {
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    connect()
    const listener = (change: Change) => latest.current(change)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
}

/** Returns what calls back once for all calls within some milliseconds, at their end. */
export function useSoon(act: () => void, ms: number): () => void {
  const latest = useRef(act)
  latest.current = act
  const timer = useRef<number>(undefined)
  return () => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, ms)
  }
}

/** Whether the service is there. */
export function useConnected(): boolean {
  const [connected, setConnected] = useState(true)
  useEffect(() => {
    connect()
    watchers.add(setConnected)
    return () => void watchers.delete(setConnected)
  }, [])
  return connected
}
