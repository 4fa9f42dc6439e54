import type { StreamSchema } from '../gen-ai/accumulator.ts'
import { each, last, list, object, text } from '../gen-ai/merge.ts'
import { asArray, asNumber, asRecord, asString, type Fields } from '../gen-ai/read.ts'
import { readConverseResponse } from './messages.ts'

/** The events of a `ConverseStreamCommand`: each has one field, named after its type. */
export const converseStream: StreamSchema = {
  toDelta: (event) => ({ ...event, block: event.contentBlockStart ?? event.contentBlockDelta }),
  table: {
    messageStart: { role: last },
    block: list(
      {
        start: { toolUse: object, toolResult: object, image: object },
        delta: { text, reasoningContent: { text }, toolUse: { input: text }, toolResult: each, citation: each },
      },
      ({ contentBlockIndex }) => asNumber(contentBlockIndex) ?? 0,
    ),
    messageStop: { stopReason: last },
    metadata: { usage: object, serviceTier: object },
  },
  // The token counts come last.
  isComplete: ({ messageStop }) => messageStop !== undefined,
  readResponse({ messageStart, block, messageStop, metadata }) {
    const content = asArray(block).flatMap((each) => readBlock(asRecord(each)))
    return readConverseResponse({
      output: { message: { role: asRecord(messageStart).role, content } },
      stopReason: asRecord(messageStop).stopReason,
      usage: asRecord(metadata).usage,
      serviceTier: asRecord(metadata).serviceTier,
    })
  },
}

/** Returns the received part of a block. */
function readBlock({ start, delta }: Fields): Fields[] {
  const { toolUse, toolResult, image } = asRecord(start)
  const { text, reasoningContent, toolUse: called, toolResult: results, citation } = asRecord(delta)
  if (toolUse) return [{ toolUse: { ...asRecord(toolUse), input: asRecord(called).input } }]
  if (toolResult) return [{ toolResult: { ...asRecord(toolResult), content: joinTexts(asArray(results).flat()) } }]
  if (image) return [{ image }]
  const texts = text === undefined ? [] : [{ text }]
  return [
    ...(reasoningContent ? [{ reasoningContent: { reasoningText: reasoningContent } }] : []),
    ...(citation ? [{ citationsContent: { content: texts, citations: citation } }] : texts),
  ]
}

/** A result arrives in pieces of one text, or whole. */
function joinTexts(results: readonly unknown[]): readonly unknown[] {
  const texts = results.flatMap((result) => asString(asRecord(result).text) ?? [])
  return results.length > 0 && texts.length === results.length ? [{ text: texts.join('') }] : results
}
