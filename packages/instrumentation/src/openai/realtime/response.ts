import type { Attributes, Context } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { capturesContent } from '../../gen-ai/configure.ts'
import type { RequestContent, ResponseContent } from '../../gen-ai/content.ts'
import { asArray, asName, asRecord, defined, type Fields } from '../../gen-ai/read.ts'
import type { Conversation } from '../../realtime/conversation.ts'
import { Sound } from '../../realtime/sound.ts'
import { DescribedCall } from '../../record/described-call.ts'
import { requestContentAttributes } from '../../record/write.ts'
import { responseListener } from '../response-stream.ts'
import { answerOf } from './answer.ts'

/** Items of one response whose names are remembered. */
const LIMIT = 128

export interface ResponseStart {
  readonly scope: string
  readonly context: Context
  readonly model: string | undefined
  readonly attributes: Attributes
  /** What is new to the model. */
  readonly asked: Conversation
  /** Read at the end: what was spoken becomes known as text while the model answers. */
  readonly question: () => RequestContent
  /** How much was spoken to the model. */
  readonly soundIn: string | undefined
  readonly soundFormat: unknown
}

/** One response of the model: a generation. */
export class SessionResponse {
  readonly call: DescribedCall
  readonly asked: Conversation
  answer: ResponseContent = {}
  readonly #sound = new Sound()
  /** The names of the tools that are called, by the ids of their items. */
  readonly #tools = new Map<unknown, unknown>()

  constructor({ scope, context, model, attributes, asked, question, soundIn, soundFormat }: ResponseStart) {
    this.asked = asked
    this.call = new DescribedCall({ scope, operation: 'chat', model, attributes, context }, (call) => {
      const soundOut = this.#sound.take(soundFormat)
      call.setRequest(undefined, {
        ...(capturesContent() ? requestContentAttributes(question()) : {}),
        ...defined({
          [`${ATTRIBUTE.OBSERVATION_METADATA}.input_audio`]: soundIn,
          [`${ATTRIBUTE.OBSERVATION_METADATA}.output_audio`]: soundOut,
        }),
      })
    })
    const read = (response: Fields) => {
      this.answer = answerOf(response, model)
      return this.answer
    }
    this.call.setAccumulator(responseListener(read))
  }

  /** Whether the model makes this item itself. */
  makes(item: unknown): boolean {
    return this.#tools.has(item)
  }

  receive(event: Fields): void {
    const { type, item, delta } = event
    if (type === 'response.audio.delta' || type === 'response.output_audio.delta') this.#sound.add(delta)
    else if (type === 'response.output_item.added' && this.#tools.size < LIMIT) {
      const { id, name } = asRecord(item)
      this.#tools.set(id, name)
    }
    this.call.onChunk(event)
  }

  /** The call of a tool that an event says the last of. */
  toolCallIn({ type, item, item_id, call_id, name, arguments: input }: Fields): Fields | undefined {
    if (type === 'response.output_item.done') {
      const done = asRecord(item)
      return done.type === 'function_call' ? done : undefined
    }
    if (type !== 'response.function_call_arguments.done') return undefined
    return { call_id, name: name ?? this.#tools.get(item_id), arguments: input }
  }

  done(event: Fields): void {
    const { status } = asRecord(event.response)
    this.receive(event)
    this.call.end(status === 'cancelled' ? 'cancelled' : undefined)
  }
}

/** The tools that a whole response calls. */
export function toolCallsOf(response: Fields): Fields[] {
  return asArray(response.output)
    .map(asRecord)
    .filter(({ type, call_id }) => type === 'function_call' && asName(call_id) !== undefined)
}
