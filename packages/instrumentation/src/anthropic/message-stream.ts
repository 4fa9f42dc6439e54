import { Accumulator, byType } from '../calls/accumulator.ts'
import type { Listener } from '../calls/call.ts'
import { last, list, object, shallow, text } from '../calls/merge.ts'
import { parsedJson } from '../calls/parts.ts'
import { type Fields, fieldsOf, listOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'

/** @param read reads the message that the events add up to */
export function messageListener(read: (message: Fields) => Answer): Listener {
  return new Accumulator({
    delta: byType('type', {
      message_start: ({ message }) => headOf(fieldsOf(message)),
      content_block_start: ({ index, content_block }) => ({
        content: [{ ...fieldsOf(content_block), index, begun: fieldsOf(content_block) }],
      }),
      content_block_delta: ({ index, delta }) => ({ content: [{ ...fieldsOf(delta), index }] }),
      // The usage at the end is about the output; some servers repeat all of it.
      message_delta: ({ delta, usage }) => ({ ...headOf(fieldsOf(delta)), usage }),
      message_stop: (end) => ({ end }),
    }),
    table: {
      id: last,
      model: last,
      stop_reason: last,
      usage: shallow,
      content: list({ begun: object, text, thinking: text, partial_json: text }),
      end: object,
    },
    complete: ({ end }) => end !== undefined,
    answer: (whole) => read({ ...whole, content: listOf(whole.content).flatMap((block) => blockOf(fieldsOf(block))) }),
  })
}

function headOf({ id, model, stop_reason, usage }: Fields): Fields {
  return { id, model, stop_reason, usage }
}

/** A block as far as it has arrived: none where it was to be a text, and nothing was said. */
function blockOf({ begun, text, thinking, partial_json }: Fields): Fields[] {
  const block = begun === undefined ? { type: 'text' } : fieldsOf(begun)
  if (block.type === 'text') return text === undefined ? [] : [{ ...block, text }]
  if (block.type === 'thinking') return [{ ...block, thinking }]
  return [partial_json === undefined ? block : { ...block, input: parsedJson(partial_json) }]
}
