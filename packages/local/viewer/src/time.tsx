import { useEffect, useState } from 'preact/hooks'
import { ago, clock, utc } from './format.ts'

/** Milliseconds between two looks at the clock. */
const TICK = 5_000
const listeners = new Set<(now: number) => void>()
setInterval(() => {
  for (const listener of listeners) listener(Date.now())
}, TICK)

function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    listeners.add(setNow)
    return () => void listeners.delete(setNow)
  }, [])
  return now
}

/** A time: local and how long ago, in UTC when the pointer rests on it. */
export function Time({ micros, short = false }: { micros: number; short?: boolean }) {
  const now = useNow()
  const ms = micros / 1_000
  return (
    <time dateTime={new Date(ms).toISOString()} title={utc(ms)}>
      {!short && <span class="clock">{`${clock(ms)} `}</span>}
      <span class="dim">{ago(ms, now)}</span>
    </time>
  )
}
