/** What a model answered, as far as a trace says so, in the form of no vendor. */
export interface RecordedAnswer {
  readonly id: string
  readonly model: string
  /** Seconds since 1970. */
  readonly created: number
  /** One for each choice. */
  readonly messages: readonly AnswerMessage[]
  /** As the vendor spells it; undefined where it was not recorded. */
  readonly finish: string | undefined
  /** The tier that served it. */
  readonly tier?: string | undefined
  readonly usage: AnswerUsage
}

export interface AnswerMessage {
  readonly text: string
  readonly thinking: string
  readonly calls: readonly AnswerCall[]
  /** Of several choices, its own. */
  readonly finish?: string | undefined
}

export interface AnswerCall {
  readonly id: string
  readonly name: string
  /** JSON */
  readonly arguments: string
}

/** Tokens. */
export interface AnswerUsage {
  /** With those of a cache. */
  readonly input: number
  readonly cached: number
  /** Written to the cache. */
  readonly written?: number
  /** With those of reasoning. */
  readonly output: number
  readonly reasoning: number
}

/** How the answers of an API look. */
export interface Dialect {
  /** Matches the path of a request, without the query. */
  readonly path: RegExp
  /** Matches the ids of its answers and of no others. */
  readonly ids?: RegExp
  readonly whole: (answer: RecordedAnswer, request: Readonly<Record<string, unknown>>) => object
  /** The parts of the stream, as the vendor sends them. */
  readonly stream: (answer: RecordedAnswer, request: Readonly<Record<string, unknown>>) => readonly string[]
  readonly streamType: string
  /** Returns the request with another system prompt. */
  readonly withSystem: (request: Readonly<Record<string, unknown>>, system: string) => Readonly<Record<string, unknown>>
}

/** The pieces of a streamed text: a trace does not have those of the vendor. */
export const piecesOf = (text: string): readonly string[] => text.match(/\s*\S+|\s+$/g) ?? []

/** An event of a stream without a name. */
export const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`

export interface NamedEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/** An event of a stream by the name of its type. */
export const named = (value: NamedEvent): string => `event: ${value.type}\n${data(value)}`

export const EVENT_STREAM = 'text/event-stream; charset=utf-8'

/** The messages of a request with another system prompt, which is the first where there was none. */
export function messagesWith(messages: unknown, system: string): unknown[] {
  const list: unknown[] = Array.isArray(messages) ? messages : []
  const isSystem = (message: unknown) =>
    ['system', 'developer'].includes(String((message as { role?: unknown } | null)?.role))
  const at = list.findIndex(isSystem)
  return at < 0
    ? [{ role: 'system', content: system }, ...list]
    : list.with(at, { ...(list[at] as object), content: system })
}

export const parsedArguments = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return {}
  }
}
