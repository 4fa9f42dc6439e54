import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import { Accumulator, byType } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { each, last, list, object, shallow, text } from '../gen-ai/merge.ts'
import { asArray, asRecord, type Fields } from '../gen-ai/read.ts'

/** @param read reads the message that the events add up to */
export function createMessageAccumulator(read: (message: Fields) => ResponseContent): StreamAccumulator {
  return new Accumulator({
    toDelta: byType('type', {
      message_start: ({ message }) => readHead(asRecord(message)),
      content_block_start: ({ index, content_block }) => ({
        content: [{ ...asRecord(content_block), index, started: asRecord(content_block) }],
        // Another model goes on where the first one declined.
        model: asRecord(asRecord(content_block).to).model,
      }),
      // The content of a delta is the summary of a conversation which became too long.
      content_block_delta: ({ index, delta }) => ({
        content: [{ ...asRecord(delta), summary: asRecord(delta).content, index }],
      }),
      // The usage at the end has the output; some servers repeat all counts.
      message_delta: ({ delta, usage }) => ({ ...readHead(asRecord(delta)), usage }),
      message_stop: (end) => ({ end }),
    }),
    table: {
      id: last,
      model: last,
      stop_reason: last,
      stop_details: object,
      container: object,
      usage: shallow,
      content: list({ started: object, text, thinking: text, partial_json: text, summary: text, citation: each }),
      end: object,
    },
    isComplete: ({ end }) => end !== undefined,
    readResponse: (whole) =>
      read({ ...whole, content: asArray(whole.content).flatMap((block) => readBlock(asRecord(block))) }),
  })
}

function readHead({ id, model, stop_reason, stop_details, container, usage }: Fields): Fields {
  return { id, model, stop_reason, stop_details, container, usage }
}

/** Returns the received part of a block; none for a text block without text. */
function readBlock({ started, text, thinking, partial_json, summary, citation }: Fields): Fields[] {
  const block = started === undefined ? { type: 'text' } : asRecord(started)
  if (block.type === 'text') return text === undefined ? [] : [{ ...block, text, citations: citation }]
  if (block.type === 'thinking') return [{ ...block, thinking }]
  if (block.type === 'compaction') return [{ ...block, content: summary ?? block.content }]
  return [partial_json === undefined ? block : { ...block, input: partial_json }]
}
