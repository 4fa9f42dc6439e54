import type { Span } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { overrideMethod } from '@svc/core/override-method'
import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import { capturesContent } from '../gen-ai/configure.ts'
import { asName, asRecord, type Fields, isMethod, isObject, isPromise } from '../gen-ai/read.ts'
import type { MethodSpec } from '../patch/method-spec.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { requestContentAttributes, responseAttributes, withParameters, write } from '../record/write.ts'
import { describeModelCommand } from './commands.ts'

/**
 * Returns hooks for `@opentelemetry/instrumentation-aws-sdk`, passed as its options, that add what its Bedrock spans lack:
 * messages, tools and all token counts. They respect the content setting and its limits. Streams are observed as the
 * application reads them; that instrumentation creates no span for a stream that is not read to its end.
 */
export const createBedrockHooks = () => HOOKS

const HOOKS = {
  preRequestHook(span: Span, { request }: Fields): void {
    forMethod(span, request, (method) => {
      const { attributes, readContent } = method.describeRequest({}, [])
      span.setAttributes(withParameters({ [GEN_AI.OPERATION_NAME]: method.operation, ...attributes }))
      if (capturesContent()) span.setAttributes(requestContentAttributes(readContent()))
    })
  },
  responseHook(span: Span, { response }: Fields): void {
    const { request, data } = asRecord(response)
    forMethod(span, request, (method) => {
      // For an InvokeModel stream it passes a promise.
      if (isPromise(data)) data.then((output) => onOutput(span, method, asRecord(output)), ignore)
      else onOutput(span, method, asRecord(data))
    })
  },
  exceptionHook(span: Span, { request }: Fields): void {
    // The instrumentation waits for the end of a stream that never starts.
    if (/Stream$/.test(asName(asRecord(request).commandName) ?? '')) forMethod(span, request, () => span.end())
  },
}

function forMethod(span: Span, request: unknown, work: (method: MethodSpec) => void): void {
  const { serviceName, commandName, commandInput } = asRecord(request)
  if (serviceName !== 'BedrockRuntime' || !span.isRecording()) return
  attempt('add to a span of the AWS SDK', () => {
    const method = describeModelCommand(`${asName(commandName)}Command`, asRecord(commandInput))
    if (method) work(method)
  })
}

function onOutput(span: Span, method: MethodSpec, output: Fields): void {
  attempt('read an answer of the AWS SDK', () => {
    const stream = method.findStream?.(output)
    const accumulator = method.createAccumulator?.()
    if (isObject(stream) && isMethod(stream.next) && accumulator) observeStream(span, stream, accumulator)
    else write(span, responseAttributes(method.readResponse(output)))
  })
}

/** The span ends inside the generator, so the response is written before. */
function observeStream(span: Span, stream: Fields, accumulator: StreamAccumulator): void {
  const { next } = stream
  if (!isMethod(next)) return
  const end = span.end.bind(span)
  let hasOutput = false
  const value = (result: unknown) => {
    if (!accumulator.add(asRecord(result).value) || hasOutput) return
    hasOutput = true
    span.setAttribute(ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME, JSON.stringify(new Date()))
  }
  overrideMethod(stream, 'next', (...args) => tapPromise(next.apply(stream, args), { value, error: ignore }))
  overrideMethod(span, 'end', (at) => {
    attempt('put a streamed answer together', () => write(span, responseAttributes(accumulator.response)))
    end(at as number | undefined)
  })
}

function ignore(): void {}
