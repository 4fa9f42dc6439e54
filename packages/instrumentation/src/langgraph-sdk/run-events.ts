import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { countsAsOutput, createMerger, last, list, type Merger, text } from '../gen-ai/merge.ts'
import { asArray, asName, asRecord, asString, type Fields, isObject } from '../gen-ai/read.ts'

/** Most nodes, and most messages, of one run. */
const ENTRY_LIMIT = 128

/**
 * Accumulates the events of a streamed run. Their kinds depend on `streamMode`: the newest state is the result; without
 * states it is the newest update of each node, or else the messages.
 */
export class RunEvents implements StreamAccumulator {
  isComplete = false
  #id: string | undefined
  #state: unknown
  #failure: ResponseContent['failure']
  readonly #updates = new Map<string, unknown>()
  readonly #messages = new Messages()

  add(item: unknown): boolean {
    const { event, data } = asRecord(item)
    // Events of a subgraph have its path after the name: `values|researcher:1`.
    const name = asName(event) ?? ''
    if (name === 'metadata') this.#id = asName(asRecord(data).run_id)
    else if (name === 'values') this.#state = isQuestion(data) ? { ...asRecord(this.#state), ...data } : data
    else if (name === 'updates') this.#update(asRecord(data))
    else if (name.startsWith('messages')) this.#messages.add(name, data)
    else if (name === 'error') this.#failure = readFailure(data)
    else if (name === 'end') this.isComplete = true
    return /^(values|updates|messages|custom)/.test(name)
  }

  get response(): ResponseContent {
    const isInterrupted = isPaused(this.#state) || this.#updates.has(QUESTIONS)
    return { id: this.#id, result: this.#result(), failure: this.#failure, ...(isInterrupted && { isInterrupted }) }
  }

  #update(updates: Fields): void {
    for (const [node, update] of Object.entries(updates)) {
      if (this.#updates.has(node) || this.#updates.size < ENTRY_LIMIT) this.#updates.set(node, update)
    }
  }

  #result(): unknown {
    if (this.#state !== undefined) return this.#state
    if (this.#updates.size > 0) return Object.fromEntries(this.#updates)
    const messages = this.#messages.all
    return messages.length > 0 ? { messages } : undefined
  }
}

/** The field of a state or an update that holds what a run asks a person. */
const QUESTIONS = '__interrupt__'

export function isPaused(state: unknown): state is Fields {
  return Array.isArray(asRecord(state)[QUESTIONS])
}

/** Whether this is the question alone, which comes after the state. */
function isQuestion(state: unknown): state is Fields {
  return isPaused(state) && Object.keys(state).length === 1
}

/** The messages of a run, which arrive in pieces, or complete and repeated with every piece. */
class Messages {
  readonly #indexes = new Map<unknown, number>()
  readonly #whole = new Map<unknown, unknown>()
  readonly #merger: Merger = createMerger({
    messages: list(
      countsAsOutput({ id: last, type: last, content: text, tool_calls: list({ id: last, name: last, args: text }) }),
      ({ id }) => this.#indexOf(id),
    ),
  })

  add(event: string, data: unknown): void {
    if (event === 'messages') this.#addPiece(asRecord(asArray(data)[0]))
    if (event !== 'messages/partial' && event !== 'messages/complete') return
    for (const message of asArray(data)) {
      const { id } = asRecord(message)
      if (this.#whole.has(id) || this.#whole.size < ENTRY_LIMIT) this.#whole.set(id, message)
    }
  }

  get all(): readonly unknown[] {
    return this.#whole.size > 0 ? [...this.#whole.values()] : asArray(asRecord(this.#merger.value).messages)
  }

  #addPiece({ id, type, content, tool_call_chunks }: Fields): void {
    this.#merger.add({ messages: [{ id, type, content: readText(content), tool_calls: tool_call_chunks }] })
  }

  #indexOf(id: unknown): number {
    const index = this.#indexes.get(id) ?? this.#indexes.size
    if (index < ENTRY_LIMIT) this.#indexes.set(id, index)
    return index
  }
}

function readText(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return content.map((block) => asString(asRecord(block).text) ?? '').join('')
}

/** Reads the failure of a run from an otherwise successful response. */
export function readFailure(error: unknown): ResponseContent['failure'] {
  if (!isObject(error)) return undefined
  return { type: asName(error.error) ?? 'failed', message: asName(error.message) ?? 'the run failed' }
}
