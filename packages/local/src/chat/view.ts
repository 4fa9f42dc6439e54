import { isMap, type ValueMap } from '../map/read.ts'
import type { Value } from '../received.ts'
import { ADAPTERS } from './adapters.ts'
import { decodedDeeply } from './decode.ts'
import { type ChatMessage, chatMessageOf } from './message.ts'

/** One half of an observation in the chat view. */
export interface ChatHalf {
  /** Which of the service's readers took it. */
  readonly adapter: string
  readonly messages: readonly ChatMessage[]
  /** Names of the tools that are shown. */
  readonly tools: readonly string[]
}

/** What the chat view makes of an observation; null for a half that is no chat. */
export interface ChatView {
  readonly input: ChatHalf | null
  readonly output: ChatHalf | null
}

interface Viewed {
  readonly name: string
  readonly metadata: ValueMap
  readonly input: string | null
  readonly output: string | null
}

/** What the formatted view of the service shows of an observation. */
export function chatViewOf({ name, metadata, input, output }: Viewed): ChatView {
  const scope = isMap(metadata.scope) ? String(metadata.scope.name ?? '') : ''
  const half = (text: string | null): ChatHalf | null => {
    if (text === null) return null
    const value = decodedDeeply(text) as Value
    const adapter = ADAPTERS.find((each) => each.fits({ value, spanName: name, scope, metadata }))
    const adapted = adapter?.adapt(value)
    if (!adapter || !adapted || adapted.messages.length === 0) return null
    const messages = adapted.messages.map(chatMessageOf)
    if (!messages.every((message) => message !== undefined)) return null
    return { adapter: adapter.name, messages, tools: adapted.tools.map(nameOf).filter((tool) => tool !== '') }
  }
  return { input: half(input), output: half(output) }
}

function nameOf(tool: Value): string {
  if (!isMap(tool)) return ''
  return String((isMap(tool.function) ? tool.function.name : tool.name) ?? '')
}
