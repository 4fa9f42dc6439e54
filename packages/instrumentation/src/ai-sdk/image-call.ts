import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GEN_AI } from '@svc/core/attributes'
import { providerName } from '@svc/core/provider-name'
import { capturesContent } from '../gen-ai/configure.ts'
import { readMetadataCost } from '../gen-ai/cost.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asName, asNumber, asRecord, defined, isPromise } from '../gen-ai/read.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { CallSpan } from '../record/call.ts'
import { suppressCalls } from '../record/suppress.ts'
import { requestContentAttributes } from '../record/write.ts'
import type { CalledModel } from './source-edits.ts'

/** Whether a model generates images: only those have a limit of images a call. */
export function isImageModel(model: CalledModel): boolean {
  return 'maxImagesPerCall' in model
}

/**
 * Records a call of a model by `generateImage`, which the SDK's telemetry does not report. The images are never recorded,
 * and the client of a vendor makes no second span.
 */
export function generateImage(model: CalledModel, options: unknown): unknown {
  const call = attempt('start a span', () => startCall(model, options))
  if (!call?.recording) return model.doGenerate(options)
  const answer = call.run(() => context.with(suppressCalls(context.active()), () => model.doGenerate(options)))
  if (!isPromise(answer)) call.end()
  return tapPromise(answer, {
    value: (result) => {
      const { usage, response, providerMetadata } = asRecord(result)
      const { inputTokens, outputTokens } = asRecord(usage)
      const counts = { input: asNumber(inputTokens), output: asNumber(outputTokens) }
      const cost = readMetadataCost(providerMetadata)
      call.endWithResponse({ model: asName(asRecord(response).modelId), usage: usage ? counts : undefined, cost })
    },
    error: (reason) => call.fail(reason),
  })
}

function startCall(model: CalledModel, options: unknown): CallSpan {
  const { provider, modelId } = asRecord(model)
  const { prompt, n, abortSignal } = asRecord(options)
  const call = new CallSpan({
    scope: '@svc/instrumentation-ai-sdk',
    operation: 'generate_content',
    model: asName(modelId),
    attributes: defined({
      [GEN_AI.PROVIDER_NAME]: asName(providerName(provider)),
      [GEN_AI.OUTPUT_TYPE]: 'image',
      [GEN_AI.REQUEST_CHOICE_COUNT]: n === 1 ? undefined : asNumber(n),
    }),
  })
  call.signal = abortSignal
  if (call.recording && capturesContent() && prompt) {
    call.setRequest(undefined, requestContentAttributes({ messages: [{ role: 'user', parts: [textPart(prompt)] }] }))
  }
  return call
}
