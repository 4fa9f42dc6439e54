import { context, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { asRecord, isPromise } from '../gen-ai/read.ts'
import { suppressCalls } from '../record/suppress.ts'
import { branchesOf } from './branches.ts'
import { callNamed } from './calls.ts'
import { paint, paints } from './image-call.ts'
import { type OpenSpan, openSpanOf } from './open-span.ts'
import type { AskedModel, StreamSightings } from './source-edits.ts'
import { streamAlone } from './stream-call.ts'
import { earFor, heardIn, hearing, takeEar } from './stream-tap.ts'

/** Hears the models and the streams of all majors of the AI SDK. */
export const sightings: StreamSightings = {
  model: (model, callId, heard, alone) => {
    const asked = (name: keyof AskedModel) => (options: unknown) => ask(model, name, options, callId, heard)
    const doStream = alone ? (options: unknown) => streamAlone(model, options, heard) : asked('doStream')
    return { doStream, doGenerate: asked('doGenerate'), doEmbed: asked('doEmbed') }
  },
  hearing(stream, transformer) {
    const ear = takeEar(stream)
    return ear ? hearing(ear, transformer) : transformer
  },
  begun(result, call) {
    const span = openSpanOf(call)
    // Holds no stand-in of a span, nor the result: both are to be collected.
    const branches = branchesOf(result)
    branches.call = span ? spanItself(span) : spanNamed(call)
    if (span) span.foresight = branches
  },
  taken: (result, stream) => attempt('follow a stream', () => branchesOf(result).taken(stream)) ?? stream,
}

const spanItself = (span: OpenSpan) => () => span
const spanNamed = (id: unknown) => () => callNamed(id)

function ask(model: AskedModel, name: keyof AskedModel, options: unknown, callId: unknown, heard: boolean): unknown {
  const span = callNamed(callId)?.latest ?? openSpanOf(trace.getActiveSpan())
  // A tool may ask models of which the SDK makes no span.
  if (span?.role !== 'model')
    return name === 'doGenerate' && paints(model) ? paint(model, options) : model[name](options)
  const hear = attempt('hear a model', () => EARS[name](span, asRecord(options).abortSignal, heard))
  // The client of a vendor that a model of the application may call makes no second span.
  const answer = context.with(suppressCalls(context.active()), () => model[name](options))
  if (!hear || !isPromise(answer)) return answer
  return answer.then(hear, (error: unknown) => {
    attempt('hear that a model fails', () => span.refused(error))
    throw error
  })
}

/** Each gives back the answer of a model, or what stands for it; undefined where somebody hears the model already. */
type Listening = (span: OpenSpan, signal: unknown, heard: boolean) => ((answer: unknown) => unknown) | undefined

const EARS: Readonly<Record<keyof AskedModel, Listening>> = {
  doStream: streamed,
  doGenerate: whole,
  doEmbed: whole,
}

function whole(model: OpenSpan): (answer: unknown) => unknown {
  return (answer) => {
    attempt('hear an answer', () => model.counted(answer))
    return answer
  }
}

function streamed(model: OpenSpan, signal: unknown, heard: boolean): ((answer: unknown) => unknown) | undefined {
  const said = model.listen()
  if (!said) return undefined
  return (answer) => heardIn(answer, heard, (stream) => earFor(stream, model, said, signal))
}
