import { trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { branchesOf } from '../ai-sdk/branches.ts'
import { callNamed } from '../ai-sdk/calls.ts'
import { fateOf } from '../ai-sdk/fate.ts'
import { heardStream } from '../ai-sdk/heard-stream.ts'
import type { OpenSpan } from '../ai-sdk/open-span.ts'
import { tokenDetails } from '../ai-sdk/token-details.ts'
import { openSpanOf } from '../ai-sdk/tracked.ts'
import { fieldsOf, isObject, isPromise } from '../calls/read.ts'
import type { AskedModel, StreamSightings } from './edit.ts'

/** Hears the models and the streams of all majors of the AI SDK. */
export const sightings: StreamSightings = {
  model: (model, callId) => {
    const asked = (name: keyof AskedModel) => (options: unknown) => ask(model, name, options, callId)
    return { doStream: asked('doStream'), doGenerate: asked('doGenerate'), doEmbed: asked('doEmbed') }
  },
  begun(result, call) {
    const span = openSpanOf(call)
    // Holds no stand-in of a span, nor the result: both are to be collected.
    branchesOf(result).call = span ? spanItself(span) : spanNamed(call)
  },
  taken: (result, stream) => attempt('follow a stream', () => branchesOf(result).taken(stream)) ?? stream,
}

const spanItself = (span: OpenSpan) => () => span
const spanNamed = (id: unknown) => () => callNamed(id)

function ask(model: AskedModel, name: keyof AskedModel, options: unknown, callId: unknown): unknown {
  const span = callNamed(callId)?.latest ?? openSpanOf(trace.getActiveSpan())
  const hear = span && attempt('hear a model', () => EARS[name](span, fieldsOf(options).abortSignal))
  const answer = model[name](options)
  if (!hear || !isPromise(answer)) return answer
  return answer.then(hear, (error: unknown) => {
    attempt('hear that a model fails', () => span.refused(error))
    throw error
  })
}

/** Each gives back the answer of a model, or what stands for it; undefined where somebody hears the model already. */
type Ear = (span: OpenSpan, signal: unknown) => ((answer: unknown) => unknown) | undefined

const EARS: Readonly<Record<keyof AskedModel, Ear>> = {
  doStream: streamed,
  doGenerate: (span) => (answer) => {
    attempt('hear an answer', () => span.add(tokenDetails(fieldsOf(answer).usage)))
    return answer
  },
  doEmbed: () => (answer) => answer,
}

/** Replaces the stream in what a model answers. */
function streamed(model: OpenSpan, signal: unknown): ((answer: unknown) => unknown) | undefined {
  const said = model.listen()
  if (!said) return undefined
  return (answer) => {
    const { stream } = fieldsOf(answer)
    if (!isObject(answer) || !(stream instanceof ReadableStream)) return answer
    const heard = heardStream(stream, {
      value: (piece) => attempt('hear a piece of a stream', () => said.add(piece)),
      error: (reason) => attempt('end a stream', () => model.modelEndedAs(fateOf(reason, signal))),
      left: () => attempt('end a stream', () => left()),
    })
    return Object.assign(Object.create(Object.getPrototypeOf(answer)), answer, { stream: heard })
  }

  function left(): void {
    const { aborted, reason } = fieldsOf(signal)
    model.modelEndedAs(aborted === true ? fateOf(reason, signal) : 'stopped early')
  }
}
