import { useCallback, useEffect, useState } from 'preact/hooks'

/** A request that was refused, with what the service says about it. */
class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Asks the service this page came from. @throws Refused */
export async function ask<T>(
  url: string,
  { method = 'GET', body }: { method?: string; body?: unknown } = {},
): Promise<T> {
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(url, { method, ...content })
  const text = await response.text()
  const said = text === '' ? undefined : JSON.parse(text)
  if (!response.ok) throw new Refused(response.status, said?.message ?? response.statusText)
  return said as T
}

export interface Loaded<T> {
  readonly data: T | undefined
  readonly error: Error | undefined
  /** Asks again, and keeps what is shown until the answer is there. */
  reload(): void
}

/** What a URL answers; nothing while it is undefined. The last answer stays until the next one is there. */
export function useAnswer<T>(url: string | undefined): Loaded<T> {
  const [state, setState] = useState<{ url?: string | undefined; data?: T; error?: Error }>({})
  const [turn, setTurn] = useState(0)
  const reload = useCallback(() => setTurn((turn) => turn + 1), [])
  useEffect(() => {
    if (url === undefined) return
    let wanted = true
    ask<T>(url).then(
      (data) => wanted && setState({ url, data }),
      (error: Error) => wanted && setState({ url, error }),
    )
    return () => {
      wanted = false
    }
  }, [url, turn])
  const current = state.url === url
  return { data: current ? state.data : undefined, error: current ? state.error : undefined, reload }
}
