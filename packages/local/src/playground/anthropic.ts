import { decoded } from '../json-text.ts'
import { callOf, type Json, listIn, toolOf, type Vendor } from './vendors.ts'

/** The API wants a limit; a request that names one wins. */
const MAX_TOKENS = 4_096

export const anthropic: Vendor = {
  baseUrl: 'https://api.anthropic.com',
  path: '/v1/messages',
  headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
  body: ({ model, messages, tools, parameters }) => {
    const system = messages.filter(isSystem).map(({ content }) => textOf(content))
    return {
      max_tokens: MAX_TOKENS,
      ...parameters,
      model,
      ...(system.length === 0 ? {} : { system: system.join('\n\n') }),
      messages: messages.filter((message) => !isSystem(message)).map(messageOf),
      ...(tools.length === 0 ? {} : { tools: tools.map(toolOf).map(definition) }),
    }
  },
  message: ({ content }) => {
    const blocks = listIn(content)
    const text = blocks.filter(({ type }) => type === 'text').map(({ text }) => String(text ?? ''))
    const calls = blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => callOf({ id, name, arguments: input }))
    return { role: 'assistant', content: text.join(''), ...(calls.length > 0 ? { tool_calls: calls } : {}) }
  },
}

const isSystem = ({ role }: Json): boolean => role === 'system' || role === 'developer'
const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content ?? ''))

function messageOf({ role, content, tool_calls: calls, tool_call_id: answers }: Json): object {
  if (role === 'tool') {
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: answers, content: textOf(content) }] }
  }
  const uses = listIn(calls)
    .map(callOf)
    .map(({ id, name, arguments: text }) => ({ type: 'tool_use', id, name, input: decoded(text) }))
  if (uses.length === 0) return { role, content: content ?? '' }
  const texts =
    content === '' || content === null || content === undefined ? [] : [{ type: 'text', text: textOf(content) }]
  return { role, content: [...texts, ...uses] }
}

const definition = ({ name, description, schema }: ReturnType<typeof toolOf>) => ({
  name,
  ...(description === undefined ? {} : { description }),
  input_schema: schema,
})
