import { attempt } from '@svc/core/attempt'
import { abandonWithout, type OpenCall } from '@svc/core/open-calls'
import { fieldsOf } from '../calls/read.ts'
import { withOutcome } from './open-span.ts'

/** A telemetry integration of the AI SDK 7, as far as we look at it: hooks by name. */
export type Integration = Readonly<Record<string, unknown>>

/**
 * Whether an integration makes spans of its own: beside listening, it runs tools and model calls inside them. Judged by
 * what it does, because bundlers rename classes.
 */
export function makesSpans(integration: unknown): boolean {
  if (typeof integration !== 'object' || integration === null) return false
  const { executeTool, onStart } = integration as Integration
  return typeof executeTool === 'function' && typeof onStart === 'function'
}

/** The same integration, which hears no content while `mayHear` says so: as if every call had asked for that. */
export function discreet(integration: object, mayHear: () => boolean): Integration {
  return new Proxy(integration as Integration, {
    get(target, name) {
      const hook: unknown = Reflect.get(target, name, target)
      if (typeof hook !== 'function') return hook
      const call = (event: unknown, ...rest: unknown[]) =>
        Reflect.apply(hook, target, [mayHear() ? event : withoutContent(event), ...rest])
      if (name === 'onAbort') return (event: unknown) => withOutcome('cancelled', () => call(event))
      return name === 'onStart' ? untilCollected(target, call) : call
    },
  })
}

function withoutContent(event: unknown): unknown {
  if (typeof event !== 'object' || event === null) return event
  const copy = Object.assign(Object.create(Object.getPrototypeOf(event)), event)
  return Object.assign(copy, { recordInputs: false, recordOutputs: false })
}

/**
 * The SDK asks for the hooks anew at each call, and keeps what it got for as long as the call may go on. The span of a
 * stream that nobody reads to its end has no other end.
 */
function untilCollected(integration: Integration, start: (event: unknown) => unknown): (event: unknown) => unknown {
  const reader = (event: unknown) => {
    const { callId } = fieldsOf(event)
    if (callId !== undefined) abandonWithout(reader, abandonment(integration, callId))
    return start(event)
  }
  return reader
}

/** Made apart: it must not hold the reader. Does nothing where the call has ended. */
function abandonment(integration: Integration, callId: unknown): OpenCall {
  const abandon = () => {
    attempt('end a call of the AI SDK', () =>
      withOutcome('abandoned', () => {
        const { onAbort } = integration
        if (typeof onAbort === 'function') Reflect.apply(onAbort, integration, [{ callId, steps: [] }])
      }),
    )
  }
  return { abandon, cutShort: abandon }
}
