import { context, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { asRecord, isPromise } from '../gen-ai/read.ts'
import { withVendorBound } from '../record/current.ts'
import { branchesOf } from './branches.ts'
import { callById } from './calls.ts'
import { generateMedia, readMediaRequest } from './media-call.ts'
import { type OpenSpan, openSpanOf } from './open-span.ts'
import { belowModel } from './part.ts'
import type { CalledModel, StreamHooks } from './source-edits.ts'
import { streamSingleCall } from './stream-call.ts'
import { takeTap, tapAnswer, tapFor, tapTransformer } from './stream-tap.ts'

/** What the edited code of the AI SDK calls, in all its majors. */
export const runtime: StreamHooks = {
  model: (model, callId, inPlace, isSingle) => {
    const calling = (name: keyof CalledModel) => (options: unknown) => callModel(model, name, options, callId, inPlace)
    const doStream = isSingle ? (options: unknown) => streamSingleCall(model, options, inPlace) : calling('doStream')
    return { doStream, doGenerate: calling('doGenerate'), doEmbed: calling('doEmbed') }
  },
  tap(stream, transformer) {
    const tap = takeTap(stream)
    return tap ? tapTransformer(tap, transformer) : transformer
  },
  started(result, call) {
    const span = openSpanOf(call)
    // Holds neither the proxy of a span nor the result: both must stay collectable.
    const branches = branchesOf(result)
    branches.call = span ? spanItself(span) : spanOfCall(call)
    if (span) span.predictor = branches
  },
  branch: (result, stream) => attempt('follow a stream', () => branchesOf(result).branch(stream)) ?? stream,
}

const spanItself = (span: OpenSpan) => () => span
const spanOfCall = (id: unknown) => () => callById(id)

function callModel(
  model: CalledModel,
  name: keyof CalledModel,
  options: unknown,
  callId: unknown,
  inPlace: boolean,
): unknown {
  const span = callById(callId)?.latest ?? openSpanOf(trace.getActiveSpan())
  if (span?.role !== 'model') {
    const media = name === 'doGenerate' ? readMediaRequest(model, options, callId) : undefined
    if (media) return generateMedia(model, options, media)
    // Its telemetry is switched off, or has a tracer of its own: its request is not recorded either.
    return context.with(withVendorBound(context.active()), () => model[name](options))
  }
  const observe = attempt('observe a model', () => OBSERVERS[name](span, asRecord(options).abortSignal, inPlace))
  // The model may call the client of a vendor, which must not make a second span.
  const answer = context.with(belowModel(context.active(), span), () => model[name](options))
  if (!observe || !isPromise(answer)) return answer
  return answer.then(observe, (error: unknown) => {
    attempt('record that a model failed', () => span.requestFailed(error))
    throw error
  })
}

/** Each returns the answer of a model, or what replaces it; undefined if the model is observed already. */
type Observe = (span: OpenSpan, signal: unknown, inPlace: boolean) => ((answer: unknown) => unknown) | undefined

const OBSERVERS: Readonly<Record<keyof CalledModel, Observe>> = {
  doStream: observeStream,
  doGenerate: observeAnswer,
  doEmbed: observeAnswer,
}

function observeAnswer(model: OpenSpan): (answer: unknown) => unknown {
  return (answer) => {
    attempt('record the tokens of an answer', () => model.recordTokens(answer))
    return answer
  }
}

function observeStream(model: OpenSpan, signal: unknown, inPlace: boolean): ((answer: unknown) => unknown) | undefined {
  const output = model.collectOutput()
  if (!output) return undefined
  return (answer) => tapAnswer(answer, inPlace, (stream) => tapFor(stream, model, output, signal))
}
