import { first, list, merging, said, type Table, text } from '../gen-ai/merge.ts'
import { asArray, asRecord } from '../gen-ai/read.ts'
import { spoken } from './messages.ts'
import type { ModelAnswer } from './spelling.ts'

const TABLE: Table = { content: text, tool_calls: list(said({ id: first, name: first, args: text })) }

/** Puts together what a model has said so far, for answers that do not come to their end. */
export class TokenListener {
  readonly #merged = merging(TABLE)

  /** Takes the next token; true when it brings something the model said. */
  add(token: unknown, fields: unknown): boolean {
    const { message } = asRecord(asRecord(fields).chunk)
    return this.#merged.add({ content: token, tool_calls: asRecord(message).tool_call_chunks })
  }

  get answer(): ModelAnswer {
    const { content = '', tool_calls } = asRecord(this.#merged.whole)
    const calls = asArray(tool_calls).map(asRecord)
    const silent = content === '' && calls.length === 0
    const message = spoken({ type: 'ai', content, tool_calls: calls })
    return { chat: true, messages: silent ? [] : [message], finishReasons: [] }
  }
}
