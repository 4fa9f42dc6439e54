import { writeText } from '../../exact-json.ts'
import type { Value } from '../../store/received.ts'
import { isMap, type ValueMap } from '../map/read.ts'
import { flatCall } from './message.ts'

/** The choice of an adapter depends on these. */
export interface ChatSource {
  readonly value: Value
  readonly spanName: string
  readonly scope: string
  readonly metadata: ValueMap
}

/** Messages and tools as an adapter hands them on; undefined where it makes no chat of the value. */
export interface Adapted {
  readonly messages: readonly Value[]
  readonly tools: readonly Value[]
}

export interface Adapter {
  readonly name: string
  fits(source: ChatSource): boolean
  adapt(value: Value): Adapted | undefined
}

export const chat = (messages: readonly Value[], tools: readonly Value[] = []): Adapted => ({ messages, tools })
export const asArray = (value: Value | undefined): Value[] => (Array.isArray(value) ? value : [])
export const partsOf = (message: Value): Value[] => (isMap(message) ? asArray(message.parts) : [])
export const typeOf = (part: Value): Value | undefined => (isMap(part) ? part.type : undefined)

export function messagesOf(value: Value): Value[] {
  return Array.isArray(value) ? value : isMap(value) ? asArray(value.messages) : []
}

export const hasRole = (message: Value): boolean => isMap(message) && message.role !== undefined
/** In an array a message may have `null` for calls. */
export function withFlatCalls(message: ValueMap): ValueMap {
  const { tool_calls: calls, ...rest } = message
  if (calls === null || calls === undefined) return rest
  return { ...rest, tool_calls: Array.isArray(calls) ? calls.map(flatCall) : calls }
}

/** Calls of tools as a message has them, when there are some. @param named what their arguments are called */
export const callsOf = (calls: readonly ValueMap[], named: 'args' | 'arguments'): ValueMap =>
  calls.length > 0
    ? {
        tool_calls: calls.map((call) => ({
          id: writeText(call.id ?? ''),
          name: call.name ?? null,
          arguments: JSON.stringify(call[named] ?? {}),
        })),
      }
    : {}

/** Thoughts as a message has them, when there are some. */
export const thinkingOf = (parts: readonly Value[]): ValueMap => (parts.length > 0 ? { thinking: [...parts] } : {})
