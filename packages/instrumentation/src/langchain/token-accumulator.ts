import { createMerger, first, largest, last, list, type MergeTable, object, text } from '../gen-ai/merge.ts'
import { asArray, asRecord, type Fields } from '../gen-ai/read.ts'
import type { ModelResponse } from './attribute-mapping.ts'
import { readMessage } from './messages.ts'
import { readModelResponse } from './read-run.ts'

/** Chunks have counts so far, or of what is new: of Anthropic the last one has zero for the input. */
const counts = (...names: string[]): MergeTable => Object.fromEntries(names.map((name) => [name, largest]))

const TABLE: MergeTable = {
  content: text,
  tool_calls: list({ id: first, name: first, args: text }),
  // What is known of an answer before it is complete: of Anthropic's the id and the input in the first chunk.
  id: first,
  usage_metadata: {
    ...counts('input_tokens', 'output_tokens', 'total_tokens'),
    input_token_details: counts('cache_read', 'cache_creation', 'audio'),
    output_token_details: counts('reasoning', 'audio'),
  },
  response_metadata: { model_name: last, finish_reason: last, stop_reason: last, service_tier: last, usage: object },
}

/** Returns the delta of a token or of a chat model's chunk. */
export function tokenDelta(token: unknown, fields: unknown): Fields {
  const { message } = asRecord(asRecord(fields).chunk)
  const { tool_call_chunks, id, usage_metadata, response_metadata } = asRecord(message)
  return { content: token, tool_calls: tool_call_chunks, id, usage_metadata, response_metadata }
}

/** Returns the delta of a chat model's event: its content blocks start, grow and end. */
export function eventDelta({ event, index, content, delta }: Fields): Fields {
  if (event === 'content-block-start') {
    const { type, id, name } = asRecord(content)
    return type === 'tool_call_chunk' || type === 'tool_call' ? { tool_calls: [{ index, id, name }] } : {}
  }
  if (event !== 'content-block-delta') return {}
  const { type, text: textDelta, args } = asRecord(delta)
  if (type === 'text-delta') return { content: textDelta }
  return type === 'tool-call-delta' ? { tool_calls: [{ index, args }] } : { other: {} }
}

/** Most deltas that are kept as they came. */
const CAPACITY = 100

/** Accumulates streamed output, for responses that do not complete. Of all others the chunks are never put together. */
export class TokenAccumulator {
  readonly #merger = createMerger(TABLE)
  readonly #latest: Fields[] = []

  /** Adds a delta. Returns true if it contains output of the model. */
  add(delta: Fields): boolean {
    this.#latest.push(delta)
    if (this.#latest.length === CAPACITY) this.#merge()
    const { content, tool_calls, other } = delta
    return Boolean(content) || asArray(tool_calls).length > 0 || other !== undefined
  }

  get response(): ModelResponse {
    this.#merge()
    const { content = '', tool_calls, ...about } = asRecord(this.#merger.value)
    const calls = asArray(tool_calls).map(asRecord)
    const isEmpty = content === '' && calls.length === 0
    const message = readMessage({ type: 'ai', content, tool_calls: calls })
    const answer = readModelResponse({ generations: [[{ message: about }]] })
    return { ...answer, chat: true, messages: isEmpty ? [] : [message] }
  }

  #merge(): void {
    for (const delta of this.#latest.splice(0)) this.#merger.add(delta)
  }
}
