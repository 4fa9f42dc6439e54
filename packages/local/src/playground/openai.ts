import { isFields } from '@svc/core/json'
import type { Delta } from './answer.ts'
import { openaiParameters } from './parameters.ts'
import { callOf, type Json, listIn, textIn, toolOf, type Vendor } from './vendors.ts'

export const openai: Vendor = {
  baseUrl: 'https://api.openai.com/v1',
  path: '/chat/completions',
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  body: ({ model, messages, tools, parameters }) => ({
    stream_options: { include_usage: true },
    ...openaiParameters(parameters, tools.length > 0),
    stream: true,
    model,
    messages: messages.map(({ role, content, name, tool_calls: calls, tool_call_id: answers }) => ({
      role,
      content,
      ...(name === undefined ? {} : { name }),
      ...(calls === undefined ? {} : { tool_calls: listIn(calls).map(callOf).map(nested) }),
      ...(answers === undefined ? {} : { tool_call_id: answers }),
    })),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf).map(definition) }),
  }),
  read: ({ choices, model, usage }) => {
    const [choice] = listIn(choices)
    // A chunk has a `delta`, a whole answer a `message`.
    const part = choice?.delta ?? choice?.message
    return {
      model,
      ...(isFields(usage) ? { usage } : {}),
      ...(choice?.finish_reason || choice?.message ? { finished: true } : {}),
      ...(isFields(part) ? addedBy(part) : {}),
    }
  },
}

function addedBy({ content, refusal, reasoning_content: thinking, tool_calls: calls }: Json): Delta {
  const added = listIn(calls).map((call, at) => {
    const { name, arguments: text } = isFields(call.function) ? call.function : {}
    const index = typeof call.index === 'number' ? call.index : at
    return { index, ...textIn('id', call.id), ...textIn('name', name), ...textIn('arguments', text) }
  })
  return {
    ...textIn('text', content || refusal),
    ...textIn('thinking', thinking),
    ...(added.length === 0 ? {} : { calls: added }),
  }
}

const nested = ({ id, ...call }: ReturnType<typeof callOf>) => ({ id, type: 'function', function: call })
const definition = ({ name, description, schema }: ReturnType<typeof toolOf>) => ({
  type: 'function',
  function: { name, ...(description === undefined ? {} : { description }), parameters: schema },
})
