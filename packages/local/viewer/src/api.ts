import { createParser } from 'eventsource-parser'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { parseExactly } from '../../src/exact-json.ts'

/** A refused request, with the message of the service. */
class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Sends a request to the service of this page. @throws Refused */
export async function request<T>(
  url: string,
  { method = 'GET', body }: { method?: string; body?: unknown } = {},
): Promise<T> {
  const response = await fetch(url, { method, ...(body === undefined ? {} : jsonContent(body)) })
  if (!response.ok) throw await refusalOf(response)
  const text = await response.text()
  return (text === '' ? undefined : parseExactly(text)) as T
}

interface StreamOptions<Event> {
  readonly body: unknown
  readonly signal: AbortSignal
  /** Called with each event; the stream ends when it throws. */
  readonly onEvent: (event: Event) => void
}

/** Posts, and reads the server-sent events of the answer. @throws Refused, and when the connection breaks. */
export async function streamEvents<Event>(url: string, { body, signal, onEvent }: StreamOptions<Event>): Promise<void> {
  const response = await fetch(url, { method: 'POST', ...jsonContent(body), signal })
  if (!response.ok) throw await refusalOf(response)
  const parser = createParser({ onEvent: ({ data }) => onEvent(JSON.parse(data)) })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) parser.feed(part.value)
}

const jsonContent = (body: unknown) => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

async function refusalOf(response: Response): Promise<Refused> {
  const text = await response.text()
  const { message, error } = text === '' ? {} : JSON.parse(text)
  const why = typeof message === 'string' ? message : response.statusText
  const issues = Array.isArray(error) ? error.map(issueText).join('; ') : ''
  return new Refused(response.status, issues === '' ? why : `${why}: ${issues}`)
}

const issueText = ({ path = [], message }: { path?: readonly string[]; message?: string }) =>
  [...path, message].join(' ')

export interface Loaded<T> {
  readonly data: T | undefined
  readonly error: Error | undefined
  /** Requests again, and keeps what is shown until the answer is there. */
  reload(): void
}

/** Loads the answer of a URL, and nothing while it is undefined. The last answer stays until the next one is there. */
export function useAnswer<T>(url: string | undefined): Loaded<T> {
  const [state, setState] = useState<{ url?: string | undefined; data?: T; error?: Error }>({})
  const [turn, setTurn] = useState(0)
  const busy = useRef(false)
  const again = useRef(false)
  // One request at a time: an answer that takes longer than the next change would otherwise collect them.
  const reload = useCallback(() => {
    if (busy.current) again.current = true
    else setTurn((turn) => turn + 1)
  }, [])
  useEffect(() => {
    if (url === undefined) return
    let wanted = true
    busy.current = true
    again.current = false
    const finish = (answer: { data: T } | { error: Error }) => {
      if (!wanted) return
      busy.current = false
      setState({ url, ...answer })
      if (again.current) reload()
    }
    request<T>(url).then(
      (data) => finish({ data }),
      (error: Error) => finish({ error }),
    )
    return () => {
      wanted = false
    }
  }, [url, turn, reload])
  const current = state.url === url
  return { data: current ? state.data : undefined, error: current ? state.error : undefined, reload }
}

/** The last answer that there was: nothing flickers while the next one is on its way. */
export function useLast<T>(data: T | undefined): T | undefined {
  const last = useRef<T>(undefined)
  if (data !== undefined) last.current = data
  return last.current
}
