import { GEN_AI } from '@svc/core/attributes'
import type { Listener } from '../calls/call.ts'
import { textPart } from '../calls/parts.ts'
import { defined, type Fields, fieldsOf, nameOf, numberOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import type { Operation } from '../stainless/operation.ts'
import { usageOf } from './usage.ts'

/** `images.generate` and `images.edit`. The pictures themselves are never recorded. */
export const images: Operation = {
  name: 'generate_content',
  path: /\/images\/(generations|edits)$/,
  parameters: ({ n = 1, stream }) => {
    // Where a picture goes along, all values are texts.
    const count = numberOf(Number(n))
    return defined({
      [GEN_AI.OUTPUT_TYPE]: 'image',
      [GEN_AI.REQUEST_CHOICE_COUNT]: count === 1 ? undefined : count,
      [GEN_AI.REQUEST_STREAM]: String(stream) === 'true' ? true : undefined,
    })
  },
  question: ({ prompt }) => (prompt ? { messages: [{ role: 'user', parts: [textPart(prompt)] }] } : {}),
  answer,
  listen: () => new ImageListener(),
}

function answer({ model, usage }: Fields): Answer {
  return { model: nameOf(model), usage: usageOf(usage) }
}

/** Pictures come in ever better versions; the last event has the usage. */
class ImageListener implements Listener {
  #last: Fields | undefined

  add(event: unknown): boolean {
    if (/\.completed$/.test(nameOf(fieldsOf(event).type) ?? '')) this.#last = fieldsOf(event)
    return true
  }

  get complete(): boolean {
    return this.#last !== undefined
  }

  get answer(): Answer {
    return answer(this.#last ?? {})
  }
}
