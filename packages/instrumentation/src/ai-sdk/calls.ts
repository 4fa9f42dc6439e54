import { keepWithoutReader, type OpenCall } from '@svc/core/open-calls'
import { Meanwhile } from './meanwhile.ts'
import type { OpenSpan } from './open-span.ts'

/** What is known of a call of the AI SDK 7 before it has a span. */
export interface StartingCall {
  readonly id: string
  readonly tellsOutput: boolean
  /** What happens when the SDK lets go of it unfinished. */
  readonly abandonment: OpenCall
}

// On globalThis: the preload has a copy of this module, and an application that registers in code another.
const SLOT = Symbol.for('svc.ai-calls.6')
const slots = globalThis as unknown as Record<symbol, Map<string, OpenSpan> | undefined>

/** The spans of the calls that are under way, by the name that the SDK gives to each call. */
function calls(): Map<string, OpenSpan> {
  slots[SLOT] ??= new Map()
  return slots[SLOT]
}

export function callNamed(id: unknown): OpenSpan | undefined {
  return typeof id === 'string' ? calls().get(id) : undefined
}

export function begun(id: string, span: OpenSpan): void {
  calls().set(id, span)
}

export function over({ id, abandonment }: StartingCall): void {
  calls().delete(id)
  keepWithoutReader(abandonment)
}

/** The call whose span starts meanwhile. */
export const startingCall = new Meanwhile<StartingCall>()
