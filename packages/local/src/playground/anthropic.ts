import { isFields } from '@svc/core/json'
import { decodedExactly } from '../json-text.ts'
import type { Delta } from './answer.ts'
import { anthropicParameters } from './parameters.ts'
import { callOf, type Json, listIn, textIn, toolOf, type Vendor } from './vendors.ts'

/** The API wants a limit; a request that names one wins. */
const MAX_TOKENS = 4_096

export const anthropic: Vendor = {
  baseUrl: 'https://api.anthropic.com',
  path: '/v1/messages',
  headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
  body: ({ model, messages, tools, parameters }) => {
    const system = messages.filter(isSystem).map(({ content }) => writeText(content))
    return {
      max_tokens: MAX_TOKENS,
      ...anthropicParameters(parameters, tools.length > 0),
      stream: true,
      model,
      ...(system.length === 0 ? {} : { system: system.join('\n\n') }),
      messages: messages.filter((message) => !isSystem(message)).map(messageOf),
      ...(tools.length === 0 ? {} : { tools: tools.map(toolOf).map(definition) }),
    }
  },
  read: (event) => {
    const { message, usage } = event
    if (event.type === 'message_start' && isFields(message)) return countedIn(message)
    if (event.type === 'message_delta' && isFields(usage)) return { usage }
    if (event.type === 'message_stop') return { finished: true }
    if (event.type === 'content_block_start') return addedBy(event.content_block, event.index)
    if (event.type === 'content_block_delta') return addedBy(event.delta, event.index)
    return event.type === 'message' ? wholeAnswer(event) : {}
  },
}

const countedIn = ({ model, usage }: Json): Delta => ({ model, ...(isFields(usage) ? { usage } : {}) })

/** A block as it starts, or what is added to it. Blocks of all kinds are counted together. */
function addedBy(part: unknown, block: unknown): Delta {
  if (!isFields(part)) return {}
  const index = Number(block)
  if (part.type === 'tool_use') return { calls: [{ index, ...textIn('id', part.id), ...textIn('name', part.name) }] }
  if (part.type === 'input_json_delta') return { calls: [{ index, ...textIn('arguments', part.partial_json) }] }
  return { ...textIn('text', part.text), ...textIn('thinking', part.thinking) }
}

/** Of a service that does not stream. */
function wholeAnswer(answer: Json): Delta {
  const blocks = listIn(answer.content)
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }, index) => ({ index, ...callOf({ id, name, arguments: input }) }))
  return {
    ...countedIn(answer),
    text: blocks.map(({ text }) => (typeof text === 'string' ? text : '')).join(''),
    calls,
    finished: true,
  }
}

const isSystem = ({ role }: Json): boolean => role === 'system' || role === 'developer'
const writeText = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content ?? ''))

function messageOf({ role, content, tool_calls: calls, tool_call_id: answers }: Json): object {
  if (role === 'tool') {
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: answers, content: writeText(content) }] }
  }
  const uses = listIn(calls)
    .map(callOf)
    .map(({ id, name, arguments: text }) => ({ type: 'tool_use', id, name, input: decodedExactly(text) }))
  if (uses.length === 0) return { role, content: content ?? '' }
  const texts =
    content === '' || content === null || content === undefined ? [] : [{ type: 'text', text: writeText(content) }]
  return { role, content: [...texts, ...uses] }
}

const definition = ({ name, description, schema }: ReturnType<typeof toolOf>) => ({
  name,
  ...(description === undefined ? {} : { description }),
  input_schema: schema,
})
