import { isErrored } from 'node:stream'
import { type Attributes, context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GEN_AI } from '@svc/core/attributes'
import { providerName } from '@svc/core/provider-name'
import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import { capturesContent } from '../gen-ai/configure.ts'
import type { ResponseContent, Usage } from '../gen-ai/content.ts'
import { type NumberTable, readNumbers, readStopSequences } from '../gen-ai/parameters.ts'
import { reasoningPart, textPart, toolCallPart } from '../gen-ai/parts.ts'
import { asArray, asName, asNumber, asRecord, defined, type Fields, isPromise } from '../gen-ai/read.ts'
import { CallSpan } from '../record/call.ts'
import { isSuppressed, suppressCalls } from '../record/suppress.ts'
import { requestContentAttributes } from '../record/write.ts'
import { isAiSdkEnabled } from './adopt.ts'
import { promptMessages } from './messages.ts'
import { pricing } from './pricing.ts'
import type { CalledModel } from './source-edits.ts'
import { type StreamTap, tapAnswer } from './stream-tap.ts'
import { StreamedOutput } from './streamed-output.ts'
import { tokenCounts } from './token-counts.ts'

const NUMBERS: NumberTable = [
  [GEN_AI.REQUEST_TEMPERATURE, ['temperature']],
  [GEN_AI.REQUEST_TOP_P, ['topP']],
  [GEN_AI.REQUEST_TOP_K, ['topK']],
  [GEN_AI.REQUEST_MAX_TOKENS, ['maxOutputTokens']],
  [GEN_AI.REQUEST_FREQUENCY_PENALTY, ['frequencyPenalty']],
  [GEN_AI.REQUEST_PRESENCE_PENALTY, ['presencePenalty']],
  [GEN_AI.REQUEST_SEED, ['seed']],
]

/**
 * Records one answer of a model to `experimental_streamLanguageModelCall`, which the SDK's telemetry does not report. The
 * client of a vendor makes no second span.
 */
export function streamSingleCall(model: CalledModel, options: unknown, inPlace: boolean): unknown {
  const call = attempt('start a span', () => startCall(model, options))
  if (!call?.recording) return model.doStream(options)
  const promise = call.run(() => context.with(suppressCalls(context.active()), () => model.doStream(options)))
  if (!isPromise(promise)) {
    call.end()
    return promise
  }
  return promise.then(
    (answer) =>
      attempt('tap a stream', () => tapAnswer(answer, inPlace, (stream) => tapOf(stream, call, model))) ?? answer,
    (error: unknown) => {
      call.fail(error)
      throw error
    },
  )
}

function startCall(model: CalledModel, options: unknown): CallSpan | undefined {
  if (!isAiSdkEnabled() || isSuppressed(context.active(), 'chat')) return undefined
  const { provider, modelId } = asRecord(model)
  const { prompt, tools, stopSequences, abortSignal, ...parameters } = asRecord(options)
  const attributes: Attributes = defined({
    [GEN_AI.PROVIDER_NAME]: asName(providerName(provider)),
    [GEN_AI.REQUEST_STREAM]: true,
    ...readNumbers(parameters, NUMBERS),
    [GEN_AI.REQUEST_STOP_SEQUENCES]: readStopSequences(stopSequences),
  })
  const scope = '@svc/instrumentation-ai-sdk'
  const call = new CallSpan({ scope, operation: 'chat', model: asName(modelId), attributes })
  if (!call.recording) return call
  call.signal = abortSignal
  call.setAccumulator(new StreamedAnswer(call))
  if (capturesContent()) {
    const content = { messages: promptMessages(asArray(prompt)), tools }
    attempt('read a request', () => call.setRequest(undefined, requestContentAttributes(content)))
  }
  return call
}

function tapOf(stream: ReadableStream, call: CallSpan, { modelId }: Fields): StreamTap {
  call.endWithReader(stream)
  return {
    add: (chunk) => {
      attempt('record a chunk of a stream', () => {
        call.onChunk(chunk)
        const { type, error, ...finish } = { modelId, ...asRecord(chunk) } as Fields
        if (type === 'error') call.fail(error)
        if (type === 'finish') {
          call.setRequest(undefined, pricing(finish, tokenCounts(finish, 'gen_ai'), 'gen_ai'))
          call.end()
        }
      })
    },
    cancel: (reason) => {
      // A pipe reports a source that fails and a reader that leaves in the same way.
      if (isErrored(stream as unknown as NodeJS.ReadableStream)) call.fail(reason)
      else call.end(asRecord(call.signal).aborted === true ? 'cancelled' : 'stopped early')
    },
  }
}

const OUTPUT_CHUNKS: ReadonlySet<unknown> = new Set(['text-delta', 'reasoning-delta', 'tool-input-delta', 'tool-call'])

class StreamedAnswer implements StreamAccumulator {
  readonly #output: StreamedOutput
  #id: string | undefined
  #model: string | undefined

  constructor(life: CallSpan) {
    this.#output = new StreamedOutput(life)
  }

  add(chunk: unknown): boolean {
    const { type, id, modelId } = asRecord(chunk)
    this.#output.add(chunk)
    if (type === 'response-metadata') {
      this.#id = asName(id)
      this.#model = asName(modelId)
    }
    return OUTPUT_CHUNKS.has(type)
  }

  get isComplete(): boolean {
    return this.#output.finish !== undefined
  }

  get response(): ResponseContent {
    const { text, reasoning, toolCalls, finish } = this.#output
    const { finishReason } = asRecord(finish)
    const reason = asName(finishReason) ?? asName(asRecord(finishReason).unified)
    const calls = toolCalls.map(({ id, name, input }) => toolCallPart(id, name, input))
    const parts = [...reasoningPart(reasoning), ...(text ? [textPart(text)] : []), ...calls]
    return {
      id: this.#id,
      model: this.#model,
      finishReasons: reason ? [reason] : [],
      messages: parts.length > 0 ? [{ role: 'assistant', parts }] : [],
      usage: finish ? usageOf(finish) : undefined,
      citations: this.#output.sources,
    }
  }
}

function usageOf(finish: unknown): Usage {
  const counts = tokenCounts(finish, 'gen_ai')
  const count = (name: string) => asNumber(counts[name])
  return {
    input: count(GEN_AI.USAGE_INPUT_TOKENS),
    output: count(GEN_AI.USAGE_OUTPUT_TOKENS),
    cacheRead: count(GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS),
    cacheWrite: count(GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS),
    reasoning: count(GEN_AI.USAGE_REASONING_OUTPUT_TOKENS),
  }
}
