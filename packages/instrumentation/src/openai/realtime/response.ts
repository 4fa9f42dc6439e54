import type { Attributes, Context } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { capturesContent } from '../../gen-ai/configure.ts'
import type { RequestContent, ResponseContent } from '../../gen-ai/content.ts'
import { asArray, asName, asRecord, defined, type Fields } from '../../gen-ai/read.ts'
import type { SessionConversation } from '../../realtime/conversation.ts'
import { AudioMeter } from '../../realtime/sound.ts'
import { DescribedCall } from '../../record/described-call.ts'
import { requestContentAttributes } from '../../record/write.ts'
import { createResponseAccumulator } from '../response-stream.ts'
import { readSessionResponse } from './read-response.ts'

/** Most items of one response whose names are kept. */
const LIMIT = 128

export interface SessionResponseStart {
  readonly scope: string
  readonly context: Context
  readonly model: string | undefined
  readonly attributes: Attributes
  readonly inputMessages: SessionConversation
  /** Read at the end, because transcripts of the user arrive while the model responds. */
  readonly readContent: () => RequestContent
  /** The amount of input audio. */
  readonly inputAudio: string | undefined
  readonly audioFormat: unknown
}

/** The span of one response: a generation. */
export class SessionResponse {
  readonly call: DescribedCall
  readonly inputMessages: SessionConversation
  response: ResponseContent = {}
  readonly #audioMeter = new AudioMeter()
  /** The names of called tools, by item id. */
  readonly #tools = new Map<unknown, unknown>()

  constructor({
    scope,
    context,
    model,
    attributes,
    inputMessages,
    readContent,
    inputAudio,
    audioFormat,
  }: SessionResponseStart) {
    this.inputMessages = inputMessages
    this.call = new DescribedCall({ scope, operation: 'chat', model, attributes, context }, (call) => {
      const outputAudio = this.#audioMeter.take(audioFormat)
      call.setRequest(undefined, {
        ...(capturesContent() ? requestContentAttributes(readContent()) : {}),
        ...defined({
          [`${ATTRIBUTE.OBSERVATION_METADATA}.input_audio`]: inputAudio,
          [`${ATTRIBUTE.OBSERVATION_METADATA}.output_audio`]: outputAudio,
        }),
      })
    })
    const read = (response: Fields) => {
      this.response = readSessionResponse(response, model)
      return this.response
    }
    this.call.setAccumulator(createResponseAccumulator(read))
  }

  /** Returns whether the item is output of this response. */
  makes(item: unknown): boolean {
    return this.#tools.has(item)
  }

  receive(event: Fields): void {
    const { type, item, delta } = event
    if (type === 'response.audio.delta' || type === 'response.output_audio.delta') this.#audioMeter.add(delta)
    else if (type === 'response.output_item.added' && this.#tools.size < LIMIT) {
      const { id, name } = asRecord(item)
      this.#tools.set(id, name)
    }
    this.call.onChunk(event)
  }

  /** Returns the tool call that an event completes. */
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

export function readToolCalls(response: Fields): Fields[] {
  return asArray(response.output)
    .map(asRecord)
    .filter(({ type, call_id }) => type === 'function_call' && asName(call_id) !== undefined)
}
