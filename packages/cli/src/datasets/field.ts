import { own } from '@svc/core/own'

/** What `--input` and `--expected` take of a trace. */
export type Recorded = Readonly<Record<'input' | 'output' | 'metadata', unknown>>

/** Whether it names a place in a trace: `.input.messages.0.content`. Everything else is a value. */
const PATH = /^\.(?:input|output|metadata)(?:\..+)?$/

/** Returns what a flag stands for: a part of the trace, a value of JSON, or a text. Undefined if the trace has no such part. */
export function resolved(flag: string, recorded: Recorded): unknown {
  if (!PATH.test(flag)) return parsed(flag)
  const steps = flag.slice(1).split('.')
  return steps.reduce<unknown>((parent, step) => {
    const isParent = typeof parent === 'object' && parent !== null
    return isParent ? parsed(own(parent as Record<string, unknown>, step)) : undefined
  }, recorded)
}

/** Inputs and outputs are texts in the API, also where they were recorded as JSON. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
