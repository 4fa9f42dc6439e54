import type { Value } from '../../store/received.ts'
import { isMap, type ValueMap } from '../map/read.ts'
import { flatCall } from './message.ts'
import { type Adapted, asArray, type ChatSource, chat, hasRole, messagesOf, withFlatCalls } from './shape.ts'

const RESPONSE_ITEMS: readonly unknown[] = ['message', 'function_call', 'function_call_output', 'reasoning']

export function isOpenAi({ value, spanName }: ChatSource): boolean {
  if (/openai/i.test(spanName)) return true
  if (!isMap(value)) return false
  if (Array.isArray(value.messages) || Array.isArray(value.output)) return true
  if (value.input !== undefined && (value.instructions !== undefined || Array.isArray(value.tools))) return true
  if (value.model !== undefined && Array.isArray(value.choices)) return true
  return hasRole(value) && asArray(value.tool_calls).some((call) => isMap(call) && isMap(call.function))
}

export function openAi(value: Value): Adapted | undefined {
  if (!isMap(value)) return chat(messagesOf(value).filter(isMap).map(withFlatCalls))
  const tools = asArray(value.tools)
  if (tools.some((tool) => !isNamed(tool))) return undefined
  if (Array.isArray(value.choices)) {
    const [choice] = value.choices
    return isMap(choice) && isMap(choice.message) ? chat([withFlatCalls(choice.message)]) : undefined
  }
  const items = Array.isArray(value.output) ? value.output : value.input
  if (items !== undefined) return chat([...instructionsOf(value), ...responseItems(items)], tools)
  const messages = asArray(value.messages)
  if (messages.length > 0)
    return chat([...systemOf(value), ...messages.map((each) => (isMap(each) ? withFlatCalls(each) : each))], tools)
  if (!hasRole(value) || value.tool_calls === null) return undefined
  return chat([withFlatCalls(value)], tools)
}

const instructionsOf = ({ instructions }: ValueMap): Value[] =>
  instructions === undefined || instructions === null ? [] : [{ role: 'system', content: instructions }]
const systemOf = ({ system }: ValueMap): Value[] => (system === undefined ? [] : [{ role: 'system', system }])

function responseItems(items: Value): Value[] {
  if (!Array.isArray(items)) return [{ role: 'user', content: items }]
  return items.filter(isMap).map((item) => {
    if (item.type === 'function_call')
      return { role: 'assistant', tool_calls: [flatCall({ ...item, id: item.call_id ?? item.id ?? null })] }
    if (item.type === 'function_call_output')
      return { role: 'tool', tool_call_id: item.call_id ?? '', content: item.output ?? null }
    if (item.type === 'reasoning') return { role: 'assistant', thinking: asArray(item.summary) }
    const { id: _, status: __, type, ...message } = item
    return RESPONSE_ITEMS.includes(type ?? 'message') ? message : item
  })
}

function isNamed(tool: Value): boolean {
  if (!isMap(tool)) return false
  return typeof (isMap(tool.function) ? tool.function.name : tool.name) === 'string'
}
