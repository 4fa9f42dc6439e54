import type { Stream } from '../calls/accumulator.ts'
import { last, list, object, text } from '../calls/merge.ts'
import { parsedJson } from '../calls/parts.ts'
import { type Fields, fieldsOf, listOf, numberOf } from '../calls/read.ts'
import { converseAnswer } from './messages.ts'

/** The events of a `ConverseStreamCommand`: each has one field, named after what it is. */
export const converseStream: Stream = {
  delta: (event) => ({ ...event, block: event.contentBlockStart ?? event.contentBlockDelta }),
  table: {
    messageStart: { role: last },
    block: list(
      {
        start: { toolUse: object },
        delta: { text, reasoningContent: { text }, toolUse: { input: text } },
      },
      ({ contentBlockIndex }) => numberOf(contentBlockIndex) ?? 0,
    ),
    messageStop: { stopReason: last },
    metadata: { usage: object },
  },
  // The counts come after everything else.
  complete: ({ messageStop }) => messageStop !== undefined,
  answer({ messageStart, block, messageStop, metadata }) {
    const content = listOf(block).flatMap((each) => contentOf(fieldsOf(each)))
    return converseAnswer({
      output: { message: { role: fieldsOf(messageStart).role, content } },
      stopReason: fieldsOf(messageStop).stopReason,
      usage: fieldsOf(metadata).usage,
    })
  },
}

/** What has arrived of one block. */
function contentOf({ start, delta }: Fields): Fields[] {
  const { toolUse } = fieldsOf(start)
  const { text, reasoningContent, toolUse: called } = fieldsOf(delta)
  if (toolUse) return [{ toolUse: { ...fieldsOf(toolUse), input: parsedJson(fieldsOf(called).input ?? '{}') } }]
  return [
    ...(reasoningContent ? [{ reasoningContent: { reasoningText: reasoningContent } }] : []),
    ...(text === undefined ? [] : [{ text }]),
  ]
}
