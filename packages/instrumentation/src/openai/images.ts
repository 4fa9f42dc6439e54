import { GEN_AI } from '@svc/core/attributes'
import { Accumulator, type StreamSchema } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { countsAsOutput, object } from '../gen-ai/merge.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asName, asNumber, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import type { ModelEndpoint } from '../stainless/endpoint.ts'
import { readOpenAiUsage, readPricing } from './usage.ts'

/** `images.generate` and `images.edit`. Images are never recorded. */
export const images: ModelEndpoint = {
  name: 'generate_content',
  path: /\/images\/(generations|edits)$/,
  readParameters: ({ n = 1, stream }) => {
    // In requests with an image all values are strings.
    const count = asNumber(Number(n))
    return defined({
      [GEN_AI.OUTPUT_TYPE]: 'image',
      [GEN_AI.REQUEST_CHOICE_COUNT]: count === 1 ? undefined : count,
      [GEN_AI.REQUEST_STREAM]: String(stream) === 'true' ? true : undefined,
    })
  },
  readRequest: ({ prompt }) => (prompt ? { messages: [{ role: 'user', parts: [textPart(prompt)] }] } : {}),
  readResponse,
  createAccumulator: () => new Accumulator(EVENTS),
}

function readResponse({ model, usage, providerMetadata }: Fields): ResponseContent {
  return { model: asName(model), usage: readOpenAiUsage(usage), ...readPricing(undefined, usage, providerMetadata) }
}

/** Events have images of increasing quality; the last one has the usage. Each of them counts as output. */
const EVENTS: StreamSchema = {
  toDelta: ({ type, model, usage }) => ({
    output: /\.completed$/.test(asName(type) ?? '') ? { end: { model, usage } } : {},
  }),
  table: { output: countsAsOutput({ end: object }) },
  isComplete: (whole) => asRecord(whole.output).end !== undefined,
  readResponse: (whole) => readResponse(asRecord(asRecord(whole.output).end)),
}
