import * as SLOTS from '@svc/core/slots'
import type { OpenSpan } from './open-span.ts'

// On globalThis: the preload has a copy of this module, and an application that registers in code another.
const SLOT = Symbol.for(SLOTS.AI_CALLS)
const slots = globalThis as unknown as Record<symbol, Map<string, OpenSpan> | undefined>

/** The spans of the open calls of the AI SDK 7, by the id that the SDK gives to each call. */
function calls(): Map<string, OpenSpan> {
  slots[SLOT] ??= new Map()
  return slots[SLOT]
}

export function callById(id: unknown): OpenSpan | undefined {
  return typeof id === 'string' ? calls().get(id) : undefined
}

export function addCall(id: string, span: OpenSpan): void {
  calls().set(id, span)
}

export function removeCall(id: string): void {
  calls().delete(id)
}
