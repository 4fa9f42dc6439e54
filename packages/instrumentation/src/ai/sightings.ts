import { trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { branchesOf } from '../ai-sdk/branches.ts'
import { callNamed } from '../ai-sdk/calls.ts'
import { fateOf } from '../ai-sdk/fate.ts'
import { heardStream } from '../ai-sdk/heard-stream.ts'
import type { OpenSpan } from '../ai-sdk/open-span.ts'
import { openSpanOf } from '../ai-sdk/tracked.ts'
import { fieldsOf, isObject, isPromise } from '../calls/read.ts'
import type { StreamSightings } from './edit.ts'

/** Hears the streams of all majors of the AI SDK. */
export const sightings: StreamSightings = {
  model: (model, callId) => ({
    doStream(options) {
      const open = callNamed(callId)?.latest ?? openSpanOf(trace.getActiveSpan())
      const hear = open && attempt('hear a model', () => ear(open, fieldsOf(options).abortSignal))
      const answer = model.doStream(options)
      if (!hear) return answer
      return isPromise(answer) ? answer.then(hear) : hear(answer)
    },
  }),
  begun(result, call) {
    const span = openSpanOf(call)
    // Holds no stand-in of a span, nor the result: both are to be collected.
    branchesOf(result).call = span ? spanItself(span) : spanNamed(call)
  },
  taken: (result, stream) => attempt('follow a stream', () => branchesOf(result).taken(stream)) ?? stream,
}

const spanItself = (span: OpenSpan) => () => span
const spanNamed = (id: unknown) => () => callNamed(id)

/** Replaces the stream in what a model answers; undefined where somebody hears it already. */
function ear(model: OpenSpan, signal: unknown): ((answer: unknown) => unknown) | undefined {
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
