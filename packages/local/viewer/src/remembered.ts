import { useState } from 'preact/hooks'

/** State that this browser keeps. What cannot be read counts as not there. @param key its name in `localStorage` */
export function useRemembered<T>(key: string, otherwise: T): readonly [value: T, set: (value: T) => void] {
  const [value, setValue] = useState(() => readRemembered(key) as T | undefined)
  const set = (next: T) => {
    localStorage.setItem(key, JSON.stringify(next))
    setValue(() => next)
  }
  return [value ?? otherwise, set]
}

function readRemembered(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
