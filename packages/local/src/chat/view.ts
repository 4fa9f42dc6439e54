import { isMap, type ValueMap } from '../map/read.ts'
import type { ChatHalf, ChatView } from '../observation.ts'
import type { Value } from '../received.ts'
import { ADAPTERS } from './adapters.ts'
import { decodedDeeply } from './decode.ts'
import { chatMessageOf } from './message.ts'

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
