import { parsedJson } from '@svc/core/json'
import { ON_SERVER } from '@svc/core/on-server'

/** The end of a stream of messages, where it names one itself. */
export interface StreamOutcome {
  readonly level: 'WARNING' | 'ERROR'
  readonly statusMessage: string
}

/** Most characters of one event that are kept while its end has not come. */
const EVENT_LIMIT = 1_000_000

/**
 * Reads a UI-message stream of the AI SDK (server-sent events, one JSON object each) as what the user reads: the text,
 * without reasoning, tools and metadata.
 */
export class UiMessageText {
  readonly #decoder = new TextDecoder()
  readonly #add: (text: string) => void
  #rest = ''
  outcome: StreamOutcome | undefined

  constructor(add: (text: string) => void) {
    this.#add = add
  }

  add(chunk: unknown): void {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk as Uint8Array, { stream: true })
    const lines = (this.#rest + text).split('\n')
    this.#rest = (lines.pop() ?? '').slice(0, EVENT_LIMIT)
    for (const line of lines) if (line.startsWith('data:')) this.#part(line.slice(5).trim())
  }

  #part(json: string): void {
    // Only saves parsing what has no text, such as the results of tools.
    if (ON_SERVER && !/"type":\s*"(?:text-delta|error|abort)"/.test(json)) return
    const { type, delta, errorText } = Object(parsedJson(json))
    if (type === 'text-delta' && typeof delta === 'string') this.#add(delta)
    else if (type === 'error') this.outcome = { level: 'ERROR', statusMessage: String(errorText ?? 'error') }
    else if (type === 'abort') this.outcome = { level: 'WARNING', statusMessage: 'aborted' }
  }
}
