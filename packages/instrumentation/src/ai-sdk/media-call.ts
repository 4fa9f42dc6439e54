import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GEN_AI } from '@svc/core/attributes'
import { providerName } from '@svc/core/provider-name'
import { capturesContent } from '../gen-ai/configure.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { readCost, readMetadataCost } from '../gen-ai/cost.ts'
import { asName, asNumber, asRecord, defined, type Fields, isPromise } from '../gen-ai/read.ts'
import { images } from '../openai/images.ts'
import { speech } from '../openai/speech.ts'
import { transcriptions } from '../openai/transcriptions.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { CallSpan } from '../record/call.ts'
import { suppressCalls } from '../record/suppress.ts'
import { requestContentAttributes } from '../record/write.ts'
import type { CalledModel } from './source-edits.ts'

/** What the reader of OpenAI's own API makes of a request that the SDK puts in its words. */
interface MediaRequest {
  readonly reader: Pick<typeof images, 'readParameters' | 'readRequest' | 'readResponse'>
  readonly body: Fields
}

/**
 * Returns the request of a call that the SDK's telemetry does not report: of an image and, before version 7, of speech and
 * transcriptions.
 *
 * @param callId of version 7
 */
export function readMediaRequest(model: CalledModel, options: unknown, callId: unknown): MediaRequest | undefined {
  const { prompt, n, audio, text, instructions } = asRecord(options)
  // Only such models have a limit of images a call.
  if ('maxImagesPerCall' in model) return { reader: images, body: { prompt, n } }
  if (callId !== undefined) return undefined
  if (audio !== undefined) return { reader: transcriptions, body: {} }
  return typeof text === 'string' ? { reader: speech, body: { input: text, instructions } } : undefined
}

/**
 * Records a call of a model by `generateImage`, `experimental_generateSpeech` or `experimental_transcribe`. Images and
 * sound are never recorded, and the client of a vendor makes no second span.
 */
export function generateMedia(model: CalledModel, options: unknown, request: MediaRequest): unknown {
  const call = attempt('start a span', () => startCall(model, options, request))
  if (!call?.recording) return model.doGenerate(options)
  const answer = call.run(() => context.with(suppressCalls(context.active()), () => model.doGenerate(options)))
  if (!isPromise(answer)) call.end()
  return tapPromise(answer, {
    value: (result) =>
      call.endWithResponse(attempt('read a response', () => readAnswer(asRecord(result), request)) ?? {}),
    error: (reason) => call.fail(reason),
  })
}

/** What the SDK has no place for is in the body of the vendor. */
function readAnswer({ text, usage, response, providerMetadata }: Fields, { reader }: MediaRequest): ResponseContent {
  const { modelId, body } = asRecord(response)
  const { inputTokens, outputTokens } = asRecord(usage)
  const counts = { input: asNumber(inputTokens), output: asNumber(outputTokens) }
  const answer = reader.readResponse({ text, usage: asRecord(body).usage })
  return {
    ...answer,
    model: asName(modelId),
    usage: usage ? counts : answer.usage,
    cost: readMetadataCost(providerMetadata) ?? readCost(asRecord(body).usage),
  }
}

function startCall(model: CalledModel, options: unknown, { reader, body }: MediaRequest): CallSpan {
  const { provider, modelId } = asRecord(model)
  const call = new CallSpan({
    scope: '@svc/instrumentation-ai-sdk',
    operation: 'generate_content',
    model: asName(modelId),
    attributes: {
      ...defined({ [GEN_AI.PROVIDER_NAME]: asName(providerName(provider)) }),
      ...reader.readParameters(body),
    },
  })
  call.signal = asRecord(options).abortSignal
  if (call.recording && capturesContent()) {
    attempt('read a request', () => call.setRequest(undefined, requestContentAttributes(reader.readRequest(body))))
  }
  return call
}
