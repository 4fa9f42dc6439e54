import { GEN_AI } from '@svc/core/attributes'
import { Accumulator, byType, type StreamSchema } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { countsAsOutput, object } from '../gen-ai/merge.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asName, asRecord, type Fields } from '../gen-ai/read.ts'
import type { ModelEndpoint } from '../stainless/endpoint.ts'
import { readOpenAiUsage } from './usage.ts'

/** `audio.speech.create`. The response is passed on unread; its audio is not recorded. */
export const speech: ModelEndpoint = {
  // The conventions define no operation for it.
  name: 'generate_content',
  path: /\/audio\/speech$/,
  readParameters: () => ({ [GEN_AI.OUTPUT_TYPE]: 'speech' }),
  readRequest: ({ input, instructions }) => ({
    ...(instructions ? { instructions: [textPart(instructions)] } : {}),
    ...(input ? { messages: [{ role: 'user', parts: [textPart(input)] }] } : {}),
  }),
  readResponse,
  createAccumulator: () => new Accumulator(EVENTS),
}

function readResponse({ model, usage }: Fields): ResponseContent {
  return { model: asName(model), usage: readOpenAiUsage(usage) }
}

/** With `stream_format: 'sse'`; the last event has the token counts. */
const EVENTS: StreamSchema = {
  toDelta: byType('type', {
    'speech.audio.delta': () => ({ sound: {} }),
    'speech.audio.done': (end) => ({ end }),
  }),
  table: { sound: countsAsOutput({}), end: object },
  isComplete: ({ end }) => end !== undefined,
  readResponse: ({ end }) => readResponse(asRecord(end)),
}
