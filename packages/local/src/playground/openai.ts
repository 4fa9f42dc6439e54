import { callOf, isJson, listIn, toolOf, type Vendor } from './vendors.ts'

export const openai: Vendor = {
  baseUrl: 'https://api.openai.com/v1',
  path: '/chat/completions',
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  body: ({ model, messages, tools, parameters }) => ({
    ...parameters,
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
  message: ({ choices }) => {
    const [choice] = listIn(choices)
    const message = isJson(choice?.message) ? choice.message : {}
    const calls = listIn(message.tool_calls).map(callOf)
    return { role: 'assistant', content: message.content ?? '', ...(calls.length > 0 ? { tool_calls: calls } : {}) }
  },
}

const nested = ({ id, ...call }: ReturnType<typeof callOf>) => ({ id, type: 'function', function: call })
const definition = ({ name, description, schema }: ReturnType<typeof toolOf>) => ({
  type: 'function',
  function: { name, ...(description === undefined ? {} : { description }), parameters: schema },
})
