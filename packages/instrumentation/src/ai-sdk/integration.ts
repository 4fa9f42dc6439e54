import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GEN_AI } from '@svc/core/attributes'
import { abandonWithout, type OpenCall } from '@svc/core/open-calls'
import { defined, fieldsOf, isPromise, numberOf } from '../calls/read.ts'
import { questionAttributes } from '../calls/result.ts'
import { isMethod } from '../calls/shadow.ts'
import { suppressCalls } from '../calls/suppress.ts'
import { textQuestion } from '../calls/text-question.ts'
import { callNamed, startingCall } from './calls.ts'
import { fateMeanwhile, fateOf, fateOfAbort } from './fate.ts'
import type { Integration } from './hooks.ts'

/**
 * The same integration, which hears no content while `mayHear` says so, as if every call had asked for that, and whose
 * spans end however the call does.
 */
export function discreet(integration: object, mayHear: () => boolean): Integration {
  const made = new Map<string | symbol, { readonly of: unknown; readonly hook: Hook }>()
  return new Proxy(integration as Integration, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name, target)
      if (typeof own !== 'function') return own
      const known = made.get(name)
      if (known?.of === own) return known.hook
      const call: Hook = (event) => Reflect.apply(own, target, [event])
      const heard = (hear: Hook) => (event: unknown) => hear(mayHear() ? event : withoutContent(event))
      if (name === 'onStart') return started(target, heard(call))
      const hook = heard(withMore(name, call))
      made.set(name, { of: own, hook })
      return hook
    },
  })
}

function withMore(name: string | symbol, call: Hook): Hook {
  if (name === 'onAbort') return (event) => aborted(call, event)
  if (name === 'executeLanguageModelCall') return (event) => asked(call, event)
  if (name === 'onEmbedStart') return (event) => embedding(call, event)
  if (name === 'onLanguageModelCallEnd' || name === 'onObjectStepEnd') return (event) => answered(call, event)
  return call
}

type Hook = (event: unknown) => unknown

function withoutContent(event: unknown): unknown {
  if (typeof event !== 'object' || event === null) return event
  const copy = Object.assign(Object.create(Object.getPrototypeOf(event)), event)
  return Object.assign(copy, { recordInputs: false, recordOutputs: false })
}

/**
 * The SDK asks for the hooks anew at each call, and keeps what it got for as long as the call may go on. The span of a
 * stream that nobody reads to its end has no other end.
 */
function started(integration: Integration, start: Hook): Hook {
  const reader = (event: unknown) => {
    const { callId: id, recordOutputs } = fieldsOf(event)
    if (typeof id !== 'string') return start(event)
    const abandonment = abandonmentOf(integration, id)
    abandonWithout(reader, abandonment)
    return startingCall.run({ id, tellsOutput: recordOutputs !== false, abandonment }, () => start(event))
  }
  return reader
}

/** Made apart: it must not hold the reader. Does nothing where the call has ended. */
function abandonmentOf(integration: Integration, callId: string): OpenCall {
  const abandon = () => {
    attempt('end a call of the AI SDK', () => {
      callNamed(callId)?.abandon()
      // What the integration itself keeps of the call.
      const { onAbort } = integration
      if (typeof onAbort === 'function') Reflect.apply(onAbort, integration, [{ callId, steps: [] }])
    })
  }
  return { abandon, cutShort: abandon }
}

function aborted(abort: Hook, event: unknown): unknown {
  const fate = fateOfAbort(fieldsOf(event).reason)
  if (typeof fate === 'string') return fateMeanwhile.run(fate, () => abort(event))
  callNamed(fieldsOf(event).callId)?.endAs(fate)
  return abort(event)
}

/**
 * A request to the model. The client of a vendor that the provider may call makes no second span of it. One that fails
 * may be made again, which has a span of its own.
 */
function asked(ask: Hook, event: unknown): unknown {
  const { callId, execute } = fieldsOf(event)
  const model = callNamed(callId)?.latest
  if (!isMethod(execute)) return ask(event)
  const alone = () => context.with(suppressCalls(context.active()), execute)
  const answer = ask({ ...fieldsOf(event), execute: alone })
  if (model && isPromise(answer)) answer.then(undefined, (error: unknown) => model.expect(fateOf(error)))
  return answer
}

/** The texts of an embedding, of which the integration tells nothing. */
function embedding(start: Hook, event: unknown): unknown {
  const result = start(event)
  const { callId, values, recordInputs } = fieldsOf(event)
  if (recordInputs !== false) callNamed(callId)?.latest?.add(questionAttributes(textQuestion(values)))
  return result
}

/** Tokens that the integration tells of some calls, or of none. */
function answered(answer: Hook, event: unknown): unknown {
  const { callId, usage } = fieldsOf(event)
  const { inputTokenDetails, outputTokenDetails } = fieldsOf(usage)
  const tokens = defined({
    [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]: numberOf(fieldsOf(inputTokenDetails).cacheWriteTokens),
    [GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]: numberOf(fieldsOf(outputTokenDetails).reasoningTokens),
  })
  callNamed(callId)?.latest?.add(tokens)
  return answer(event)
}
