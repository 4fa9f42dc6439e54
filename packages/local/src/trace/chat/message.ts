import { toText } from '@svc/core/json'
import { isNumber } from '../../exact-json.ts'
import type { Appearance, ChatMessage } from '../../store/observation.ts'
import type { Value } from '../../store/received.ts'
import { isMap, type ValueMap } from '../map/read.ts'

const FIELDS: ReadonlySet<string> = new Set([
  ...['role', 'name', 'content', 'tools', 'tool_calls', 'tool_call_id'],
  ...['audio', 'thinking', 'redacted_thinking'],
])

/** The message, if it fits the schema of the view. One that does not makes its half of the observation no chat. */
export function chatMessageOf(message: Value): ChatMessage | undefined {
  if (!isMap(message)) return undefined
  const { role, content, tool_calls: calls, tool_call_id: answers, audio, thinking, type: _, ...rest } = message
  if (role !== undefined && typeof role !== 'string') return undefined
  if (typeof content === 'boolean' || isNumber(content)) return undefined
  if (calls !== undefined && !(Array.isArray(calls) && calls.every(isCall))) return undefined
  if (audio !== undefined && !(isMap(audio) && isMediaTag(audio.data))) return undefined
  if (answers !== undefined && typeof answers !== 'string') return undefined
  return {
    role: role ?? '',
    content: appearanceOf(content),
    calls: (calls ?? []).map((call) => String((call as ValueMap).name)),
    ...(answers === undefined ? {} : { answers }),
    thinking: Array.isArray(thinking) && thinking.length > 0,
    collapsed: Object.keys(rest).filter((key) => !FIELDS.has(key)),
  }
}

function isCall(call: Value): boolean {
  return isMap(call) && [call.id, call.name, call.arguments].every((field) => typeof field === 'string')
}

/** Content is rendered only if every one of its parts can be. */
function appearanceOf(content: Value | undefined): Appearance {
  if (content === undefined || content === null || content === '') return 'nothing'
  if (typeof content === 'string') return 'text'
  if (!Array.isArray(content)) return 'table'
  if (content.length === 0) return 'nothing'
  return content.every(isRendered) ? 'text' : 'table'
}

const TEXT_PARTS: readonly unknown[] = ['text', 'input_text', 'output_text']
const IMAGE_URL = /^(https?:\/\/|data:image\/(png|jpeg|jpg|gif|webp);base64,)/

function isRendered(part: Value): boolean {
  if (!isMap(part)) return isMediaTag(part)
  if (TEXT_PARTS.includes(part.type)) return typeof part.text === 'string'
  if (part.type === 'image_url') {
    const url = isMap(part.image_url) ? part.image_url.url : undefined
    return typeof url === 'string' && (IMAGE_URL.test(url) || isMediaTag(url))
  }
  return part.type === 'input_audio' && isMap(part.input_audio) && isMediaTag(part.input_audio.data)
}

function isMediaTag(value: Value | undefined): boolean {
  return typeof value === 'string' && /^@@@svcMedia:.+@@@$/.test(value)
}

/** A call with its fields where the view looks for them, from the nested form of OpenAI or a flat one. */
export function flatCall(call: Value): Value {
  if (!isMap(call)) return call
  const { function: nested, type: _, args, ...rest } = call
  const flat: ValueMap = isMap(nested) ? { ...rest, ...nested } : rest
  const input = flat.arguments ?? args
  return { ...flat, ...(input === undefined ? {} : { arguments: toText(input) ?? '' }) }
}
