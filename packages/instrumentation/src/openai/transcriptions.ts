import { GEN_AI } from '@svc/core/attributes'
import { Accumulator, byType, type StreamSchema } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { object, text } from '../gen-ai/merge.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asNumber, asRecord, asString, defined, type Fields } from '../gen-ai/read.ts'
import type { ModelEndpoint } from '../stainless/endpoint.ts'
import { readOpenAiUsage, readPricing } from './usage.ts'

/** `audio.transcriptions` and `audio.translations`. The audio is never recorded; its transcript is. */
export const transcriptions: ModelEndpoint = {
  // The conventions define no operation for it.
  name: 'generate_content',
  path: /\/audio\/(transcriptions|translations)$/,
  // All values of a form are strings.
  readParameters: ({ temperature, stream }) =>
    defined({
      [GEN_AI.OUTPUT_TYPE]: 'text',
      [GEN_AI.REQUEST_TEMPERATURE]: temperature === undefined ? undefined : asNumber(Number(temperature)),
      [GEN_AI.REQUEST_STREAM]: stream === 'true' ? true : undefined,
    }),
  readRequest: ({ prompt }) => {
    const sound = { type: 'blob', modality: 'audio' }
    return { messages: [{ role: 'user', parts: [...(asString(prompt) ? [textPart(prompt)] : []), sound] }] }
  },
  readResponse,
  createAccumulator: () => new Accumulator(EVENTS),
}

/** Reads the text; segments and words repeat it. */
function readResponse({ text, usage }: Fields): ResponseContent {
  const messages = asString(text) === undefined ? [] : [{ role: 'assistant', parts: [textPart(text)] }]
  return { messages, usage: readOpenAiUsage(usage), ...readPricing(undefined, usage) }
}

const EVENTS: StreamSchema = {
  toDelta: byType('type', {
    'transcript.text.delta': ({ delta }) => ({ text: delta }),
    'transcript.text.done': (end) => ({ end }),
  }),
  table: { text, end: object },
  isComplete: ({ end }) => end !== undefined,
  readResponse: ({ text, end }) => readResponse({ text, usage: asRecord(end).usage }),
}
