import type { Attributes, Context } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { Accumulator } from '../../gen-ai/accumulator.ts'
import { capturesContent } from '../../gen-ai/configure.ts'
import type { Message, RequestContent, ResponseContent } from '../../gen-ai/content.ts'
import { countsAsOutput, last } from '../../gen-ai/merge.ts'
import { asArray, asName, asRecord, asString, defined, type Fields, isObject } from '../../gen-ai/read.ts'
import { AudioMeter } from '../../realtime/sound.ts'
import { DescribedCall } from '../../record/described-call.ts'
import { requestContentAttributes } from '../../record/write.ts'
import { contentStream } from '../content-stream.ts'
import { readContentResponse } from '../generate.ts'

export interface LiveTurnStart {
  readonly scope: string
  readonly context: Context
  readonly model: string | undefined
  readonly attributes: Attributes
  /** When the user's turn ended, if known. */
  readonly requestedAt: number | undefined
  /** Read at the end, because transcripts of the user arrive while the model responds. */
  readonly readContent: () => RequestContent
  /** The amount of input audio. */
  readonly inputAudio: string | undefined
}

/** One turn of the model, up to its tool calls: a generation. */
export class LiveTurn {
  readonly call: DescribedCall
  response: ResponseContent = {}
  /** Whether the user interrupted the turn. */
  isInterrupted = false
  /** Whether the last output is a tool call. */
  isWaiting = false
  readonly #audioMeter = new AudioMeter()
  #audioFormat: unknown

  constructor({ scope, context, model, attributes, requestedAt, readContent, inputAudio }: LiveTurnStart) {
    const start = { scope, operation: 'generate_content', model, attributes, context, startTime: requestedAt }
    this.call = new DescribedCall(start, (call) => {
      const outputAudio = this.#audioMeter.take(this.#audioFormat)
      call.setRequest(undefined, {
        ...(capturesContent() ? requestContentAttributes(readContent()) : {}),
        ...defined({
          [`${ATTRIBUTE.OBSERVATION_METADATA}.input_audio`]: inputAudio,
          [`${ATTRIBUTE.OBSERVATION_METADATA}.output_audio`]: outputAudio,
        }),
      })
    })
    this.call.setAccumulator(
      new Accumulator({
        ...contentStream,
        toDelta: toContentChunk,
        // Audio counts as output of the model and is not kept.
        table: { ...contentStream.table, sound: countsAsOutput(last) },
        readResponse: (whole) => {
          this.response = readLiveResponse(whole, this.isInterrupted)
          return this.response
        },
      }),
    )
  }

  receive(event: Fields): void {
    const { serverContent, toolCall } = event
    for (const { inlineData } of readParts(serverContent)) {
      const { data, mimeType } = asRecord(inlineData)
      if (!asString(mimeType)?.startsWith('audio/')) continue
      this.#audioMeter.add(data)
      this.#audioFormat = mimeType
    }
    if (isObject(toolCall)) this.isWaiting = true
    else if (isObject(serverContent)) this.isWaiting = false
    this.call.onChunk(event)
  }

  end(): void {
    // The span must not include the time of the tool.
    this.call.endsWithActivity = this.isWaiting
    this.call.end(this.isInterrupted ? 'cancelled' : undefined)
  }
}

function readParts(content: unknown): Fields[] {
  return asArray(asRecord(asRecord(content).modelTurn).parts).map(asRecord)
}

/** Converts a server message to a chunk of streamed content. */
function toContentChunk({ serverContent, toolCall, usageMetadata }: Fields): Fields {
  const { outputTranscription, turnCompleteReason, groundingMetadata } = asRecord(serverContent)
  const { text } = asRecord(outputTranscription)
  const parts = [
    ...readParts(serverContent).filter(({ inlineData }) => inlineData === undefined),
    ...(asString(text) ? [{ text }] : []),
    ...asArray(asRecord(toolCall).functionCalls).map((functionCall) => ({ functionCall })),
  ]
  const hasSound = readParts(serverContent).some(({ inlineData }) => inlineData !== undefined)
  return {
    candidates: [
      { ...(parts.length > 0 ? { content: { parts } } : {}), finishReason: turnCompleteReason, groundingMetadata },
    ],
    usageMetadata: isObject(usageMetadata) ? renameUsage(usageMetadata) : undefined,
    sound: hasSound ? true : undefined,
  }
}

/** Renames the counts of the Live API. */
function renameUsage({ responseTokenCount, responseTokensDetails, ...usage }: Fields): Fields {
  return { ...usage, candidatesTokenCount: responseTokenCount, candidatesTokensDetails: responseTokensDetails }
}

function readLiveResponse({ sound, ...whole }: Fields, isInterrupted: boolean): ResponseContent {
  const { messages = [], finishReasons = [], ...response } = readContentResponse(whole)
  const audioMessage: Message[] = sound ? [{ role: 'assistant', parts: [{ type: 'blob', modality: 'audio' }] }] : []
  return {
    ...response,
    model: asName(whole.modelVersion),
    messages: messages.length > 0 ? messages : audioMessage,
    finishReasons: isInterrupted ? ['interrupted'] : finishReasons,
  }
}
