import { isNumber, writeText } from '../../exact-json.ts'
import { decoded } from '../../json-text.ts'
import type { ChatHalf, ChatView } from '../../store/observation.ts'
import type { Value } from '../../store/received.ts'
import { isMap, type ValueMap } from '../map/read.ts'
import { ADAPTERS } from './adapters.ts'
import { chatMessageOf } from './message.ts'

interface Viewed {
  readonly name: string
  readonly metadata: ValueMap
  readonly input: string | null
  readonly output: string | null
}

/** One half of an observation as a chat: what its messages and tools say, in the shape that the view renders. */
export interface ChatContent {
  readonly adapter: string
  readonly messages: readonly Value[]
  readonly tools: readonly Value[]
}

/** Returns an observation as the formatted view of the service shows it. */
export function chatViewOf(viewed: Viewed): ChatView {
  const half = (text: string | null): ChatHalf | null => {
    const content = chatContentOf(viewed, text)
    if (!content) return null
    return {
      adapter: content.adapter,
      messages: content.messages.map(chatMessageOf).filter((message) => message !== undefined),
      tools: content.tools.map(nameOf).filter((tool) => tool !== ''),
    }
  }
  return { input: half(viewed.input), output: half(viewed.output) }
}

/**
 * A half that the formatted view shows as a chat; undefined when it does not.
 *
 * @param decode reads the text and JSON texts in it.
 */
export function chatContentOf(
  { name, metadata }: Viewed,
  text: string | null,
  decode?: (text: string) => unknown,
): ChatContent | undefined {
  if (text === null) return undefined
  const scope = isMap(metadata.scope) ? writeText(metadata.scope.name ?? '') : ''
  const value = decodedDeeply(text, decode) as Value
  const adapter = ADAPTERS.find((each) => each.fits({ value, spanName: name, scope, metadata }))
  const adapted = adapter?.adapt(value)
  if (!adapter || !adapted || adapted.messages.length === 0) return undefined
  if (!adapted.messages.every((message) => chatMessageOf(message) !== undefined)) return undefined
  return { adapter: adapter.name, ...adapted }
}

function nameOf(tool: Value): string {
  if (!isMap(tool)) return ''
  return writeText((isMap(tool.function) ? tool.function.name : tool.name) ?? '')
}

const MAX_DEPTH = 500

/**
 * Decodes a stored text for the chat view: JSON is decoded as deep as it goes, JSON texts inside it as well, so that
 * arguments of calls arrive as objects. Numbers in texts stay texts.
 *
 * @param decode reads one text.
 */
function decodedDeeply(value: unknown, decode: (text: string) => unknown = decoded, depth = 0): unknown {
  if (depth > MAX_DEPTH) return value
  if (typeof value === 'string') {
    const inner = jsonIn(value, decode)
    return inner === value ? value : decodedDeeply(inner, decode, depth + 1)
  }
  if (Array.isArray(value)) return value.map((item) => decodedDeeply(item, decode, depth + 1))
  if (typeof value !== 'object' || value === null || isNumber(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decodedDeeply(item, decode, depth + 1)]))
}

function jsonIn(text: string, decode: (text: string) => unknown): unknown {
  const value = decode(text)
  return isNumber(value) ? text : value
}
