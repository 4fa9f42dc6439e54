import { GEN_AI } from '@svc/core/attributes'
import { Accumulator, type Stream } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { object, said } from '../gen-ai/merge.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asName, asNumber, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import type { Operation } from '../stainless/operation.ts'
import { usageOf } from './usage.ts'

/** `images.generate` and `images.edit`. The pictures themselves are never recorded. */
export const images: Operation = {
  name: 'generate_content',
  path: /\/images\/(generations|edits)$/,
  parameters: ({ n = 1, stream }) => {
    // Where a picture goes along, all values are texts.
    const count = asNumber(Number(n))
    return defined({
      [GEN_AI.OUTPUT_TYPE]: 'image',
      [GEN_AI.REQUEST_CHOICE_COUNT]: count === 1 ? undefined : count,
      [GEN_AI.REQUEST_STREAM]: String(stream) === 'true' ? true : undefined,
    })
  },
  question: ({ prompt }) => (prompt ? { messages: [{ role: 'user', parts: [textPart(prompt)] }] } : {}),
  answer,
  listen: () => new Accumulator(EVENTS),
}

function answer({ model, usage }: Fields): ResponseContent {
  return { model: asName(model), usage: usageOf(usage) }
}

/** Pictures come in ever better versions; the last event has the usage. Each of them is something the model said. */
const EVENTS: Stream = {
  delta: ({ type, model, usage }) => ({
    said: /\.completed$/.test(asName(type) ?? '') ? { end: { model, usage } } : {},
  }),
  table: { said: said({ end: object }) },
  complete: (whole) => asRecord(whole.said).end !== undefined,
  answer: (whole) => answer(asRecord(asRecord(whole.said).end)),
}
