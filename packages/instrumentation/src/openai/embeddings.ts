import type { Listener } from '../calls/call.ts'
import { type Fields, nameOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import { textQuestion } from '../calls/text-question.ts'
import type { Operation } from '../stainless/operation.ts'
import { parametersOf } from './parameters.ts'
import { usageOf } from './usage.ts'

/** `embeddings.create`. The vectors are never recorded. */
export const embeddings: Operation = {
  name: 'embeddings',
  path: /\/embeddings$/,
  parameters: parametersOf,
  question: ({ input }) => textQuestion(input),
  answer,
  listen: () => UNHEARD,
}

function answer({ model, usage }: Fields): Answer {
  return { model: nameOf(model), usage: usageOf(usage) }
}

/** For what does not come as a stream, or says nothing in it. */
export const UNHEARD: Listener = { add: () => false, complete: true, answer: {} }
