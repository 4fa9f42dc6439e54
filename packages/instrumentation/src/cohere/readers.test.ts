import { expect, it } from 'vitest'
import { chat, command, generate } from './readers.ts'

const call = { name: 'weather', parameters: { city: 'Paris' } }

it('Cohere v1 requests are read by the names of the library and of the wire', () => {
  const ofLibrary = {
    chatHistory: [{ role: 'CHATBOT', message: 'I look.', toolCalls: [call] }],
    toolResults: [{ call, outputs: [{ sky: 'blue' }] }],
    maxTokens: 9,
    stopSequences: ['END'],
  }
  const onWire = {
    chat_history: [{ role: 'CHATBOT', message: 'I look.', tool_calls: [call] }],
    tool_results: [{ call, outputs: [{ sky: 'blue' }] }],
    max_tokens: 9,
    stop_sequences: ['END'],
  }
  expect(command.readRequest(ofLibrary)).toEqual(command.readRequest(onWire))
  expect(command.readParameters(ofLibrary)).toEqual(command.readParameters(onWire))
  expect(
    command.readRequest(ofLibrary).messages?.map(({ role, parts }) => [role, parts.map(({ type }) => type)]),
  ).toEqual([
    ['assistant', ['text', 'tool_call']],
    ['tool', ['tool_call_response']],
  ])
})

it('a Cohere tool result follows its call, wherever the call is named', () => {
  const results = [{ call, outputs: [{ sky: 'blue' }] }]
  const roles = (body: object) => command.readRequest(body as never).messages?.map(({ role }) => role)
  expect(roles({ message: 'How is it?', tool_results: results })).toEqual(['user', 'assistant', 'tool'])
  const history = [
    { role: 'CHATBOT', tool_calls: [call] },
    { role: 'TOOL', tool_results: results },
  ]
  expect(roles({ chat_history: history })).toEqual(['assistant', 'tool'])
})

it('Cohere tool results in parts, plans and reasoning are read', () => {
  const { messages } = chat.readRequest({
    messages: [
      { role: 'assistant', toolPlan: 'I look. ', content: [{ type: 'thinking', thinking: 'Hm.' }] },
      { role: 'tool', toolCallId: 'c', content: [{ type: 'text', text: 'blue' }] },
    ],
  })
  expect(messages).toEqual([
    { role: 'assistant', parts: [{ type: 'reasoning', content: 'I look. Hm.' }] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: [{ type: 'text', content: 'blue' }] }] },
  ])
})

it('a response schema and a token budget of Cohere are parameters', () => {
  const schema = { type: 'object' }
  const { readParameters } = chat
  expect(
    readParameters({ responseFormat: { type: 'json_object', jsonSchema: schema }, thinking: { tokenBudget: 5 } }),
  ).toEqual({
    'gen_ai.output.type': 'json',
    'gen_ai.request.response_format': '{"type":"object"}',
    'gen_ai.request.thinking_budget': 5,
  })
})

it.each([
  undefined,
  null,
  7,
  'text',
  [],
  { messages: 7, delta: [], message: 'x', meta: 1, chatHistory: 4, toolResults: [0] },
])('malformed Cohere requests and responses do not throw: %j', (odd) => {
  const fields = odd as never
  for (const reader of [chat, command, generate]) {
    const listener = reader.createAccumulator()
    listener.add(fields)
    expect(() => [reader.readRequest(fields ?? {}), reader.readResponse(fields ?? {}), listener.response]).not.toThrow()
  }
})

it('documents are input, which stand beside the messages', () => {
  const documents = [{ id: 'd1', data: { text: 'It rains.' } }]
  const part = { type: 'document', document: documents[0] }
  const [of2, of1] = [
    chat.readRequest({ documents, messages: [{ role: 'user', content: 'How is it?' }] }),
    command.readRequest({ documents, message: 'How is it?' }),
  ]
  for (const { messages } of [of2, of1]) {
    expect(messages?.map(({ parts }) => parts[0])).toEqual([part, { type: 'text', content: 'How is it?' }])
  }
})

it('an answer that says that it failed is a failure, with what it had said', () => {
  const accumulator = chat.createAccumulator()
  accumulator.add({ type: 'content-delta', index: 0, delta: { message: { content: { text: 'Half' } } } })
  accumulator.add({ type: 'message-end', delta: { finishReason: 'ERROR', error: 'It broke.' } })
  const { failure, messages } = accumulator.response
  expect(failure).toEqual({ type: 'ERROR', message: 'It broke.' })
  expect(messages?.[0]?.parts).toEqual([{ type: 'text', content: 'Half' }])
  expect(command.readResponse({ text: '', finish_reason: 'ERROR' }).failure?.type).toBe('ERROR')
  expect(chat.readResponse({ finish_reason: 'COMPLETE' }).failure).toBeUndefined()
})
