/** A part of a tool call: the name comes first, the arguments in pieces. */
export interface CallDelta {
  /** The number of the call in the answer. */
  readonly index: number
  readonly id?: string
  readonly name?: string
  readonly arguments?: string
}

/** An addition of a model to its answer. */
export interface Delta {
  readonly text?: string
  readonly thinking?: string
  readonly calls?: readonly CallDelta[]
  /** The model that answers, as the vendor calls it. */
  readonly model?: unknown
  /** Counts as the vendor reports them: the last one of each name holds. */
  readonly usage?: Readonly<Record<string, unknown>>
  /** The answer is complete. */
  readonly finished?: boolean
}

/** A server-sent event of a running call, for the page. */
export type PlaygroundEvent = Delta & {
  /** With the last event: milliseconds from the request to the end of the answer. */
  readonly latencyMs?: number
  /** With the last event: why there is no more, in one line. */
  readonly error?: string
}

type Call = Required<CallDelta>

/** The answer so far, as the page shows messages. */
export interface PlaygroundAnswer {
  readonly text: string
  readonly thinking: string
  readonly calls: readonly Call[]
  readonly model: unknown
  readonly usage: Readonly<Record<string, unknown>> | null
  readonly latencyMs: number | null
}

export const NO_ANSWER: PlaygroundAnswer = {
  text: '',
  thinking: '',
  calls: [],
  model: null,
  usage: null,
  latencyMs: null,
}

/** An answer with what an event adds to it. */
export function withEvent(answer: PlaygroundAnswer, event: PlaygroundEvent): PlaygroundAnswer {
  return {
    text: answer.text + (event.text ?? ''),
    thinking: answer.thinking + (event.thinking ?? ''),
    calls: (event.calls ?? []).reduce(withCall, answer.calls),
    model: event.model ?? answer.model,
    usage: event.usage ? { ...answer.usage, ...event.usage } : answer.usage,
    latencyMs: event.latencyMs ?? answer.latencyMs,
  }
}

function withCall(calls: readonly Call[], { index, id, name, arguments: text = '' }: CallDelta): readonly Call[] {
  const before = calls.find((call) => call.index === index)
  if (!before) return [...calls, { index, id: id ?? '', name: name ?? '', arguments: text }]
  const after = { index, id: id ?? before.id, name: name ?? before.name, arguments: before.arguments + text }
  return calls.map((call) => (call === before ? after : call))
}
