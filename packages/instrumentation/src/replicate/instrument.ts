import { context } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { Accumulator } from '../gen-ai/accumulator.ts'
import { asName, asRecord, asString, defined, type Fields, isObject, type Method } from '../gen-ai/read.ts'
import { serverAttributes } from '../gen-ai/server.ts'
import { isAborted } from '../patch/iterator-observer.ts'
import type { MethodSpec, RequestInfo } from '../patch/method-spec.ts'
import type { Wrappers } from '../patch/patch-methods.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { wrapMethods } from '../patch/wrap-method.ts'
import type { CallSpan } from '../record/call.ts'
import { getCall } from '../record/current.ts'
import { responseAttributes } from '../record/write.ts'
import { readOutput, readParameters, readPrediction, readRequest, stream } from './predictions.ts'

const operation = 'generate_content'

const METHODS: readonly MethodSpec[] = [
  {
    name: 'run',
    operation,
    describeRequest: describeModelRequest,
    readResponse: (_, value) => readOutput(value),
    followResult: endIfAborted,
  },
  {
    name: 'stream',
    operation,
    describeRequest: (client, args) => {
      const info = describeModelRequest(client, args)
      return { ...info, attributes: { ...info.attributes, [GEN_AI.REQUEST_STREAM]: true } }
    },
    readResponse: () => ({}),
    createAccumulator: () => new Accumulator(stream),
    isLazy: true,
  },
  // Without `wait` the prediction continues in the background; `wait()` records its result.
  {
    name: 'create',
    operation,
    appliesTo: ([options]) => Boolean(asRecord(options).wait),
    describeRequest: describePredictionRequest,
    readResponse: readPrediction,
  },
  {
    name: 'wait',
    operation,
    appliesTo: ([prediction]) => isOpen(prediction),
    describeRequest: describePredictionRequest,
    readResponse: readPrediction,
  },
]

const standalone = wrapMethods('@svc/instrumentation-replicate', METHODS)

/** Wraps the methods of `replicate`. */
export const wrappers: Wrappers = {
  ...standalone,
  create: (original) => wrapWithinCall(original, standalone.create?.(original) ?? original),
  wait: (original) => wrapWithinCall(original, standalone.wait?.(original) ?? original),
}

/** Within another call, such as `run`, the prediction is part of that call and adds its id and usage. */
function wrapWithinCall(original: Method, observed: Method): Method {
  return function (...args) {
    const call = getCall(context.active())
    if (!call) return observed.apply(this, args)
    const value = (prediction: unknown) => {
      const { id, usage } = readPrediction(asRecord(prediction))
      call.setRequest(undefined, responseAttributes({ id, usage }))
    }
    return tapPromise(original.apply(this, args), { value, error() {} })
  }
}

/** A cancelled prediction has no output, and the application gets no error. */
function endIfAborted(_: Fields, call: CallSpan): boolean {
  if (!isAborted(call.signal)) return false
  call.end('cancelled')
  return true
}

function isOpen(prediction: unknown): boolean {
  const { status } = asRecord(prediction)
  return status === 'starting' || status === 'processing'
}

function describeModelRequest(client: Fields, [model, options]: readonly unknown[]): RequestInfo {
  return describeRequest(client, model, asRecord(options))
}

function describePredictionRequest(client: Fields, [prediction]: readonly unknown[]): RequestInfo {
  const { model, version } = asRecord(prediction)
  return describeRequest(client, model ?? version, asRecord(prediction))
}

function describeRequest(client: Fields, model: unknown, { input, signal }: Fields): RequestInfo {
  const inputFields = asRecord(input)
  return {
    // The version follows the name: `owner/name:version`.
    model: asName(model),
    attributes: defined({ ...serverAttributes(client, 'replicate', client.baseUrl), ...readParameters(inputFields) }),
    readContent: () => (isObject(input) ? readRequest(inputFields) : {}),
    signal: signal ?? null,
    secrets: () => [client.auth].flatMap((key) => asString(key) ?? []),
  }
}
