import { byType, type Stream } from '../../gen-ai/accumulator.ts'
import { last, object, said, text } from '../../gen-ai/merge.ts'
import { asRecord } from '../../gen-ai/read.ts'
import { answerOf } from './messages.ts'

/** The events of a streamed chat; the last one repeats the whole answer. */
export const chatStream: Stream = {
  delta: byType('eventType', {
    'stream-start': ({ generationId }) => ({ generationId }),
    'text-generation': ({ text }) => ({ text }),
    'tool-calls-generation': ({ toolCalls }) => ({ toolCalls }),
    'stream-end': ({ response, finishReason }) => ({ end: { ...asRecord(response), finishReason } }),
  }),
  table: { generationId: last, text, toolCalls: said(last), end: object },
  complete: ({ end }) => end !== undefined,
  answer: ({ generationId, text, toolCalls, end }) => answerOf({ generationId, ...asRecord(end), text, toolCalls }),
}
