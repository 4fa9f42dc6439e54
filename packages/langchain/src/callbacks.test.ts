import { describe, expect, it } from 'vitest'
import { useRecording } from '../test/support.ts'
import { CallbackHandler } from './index.ts'

const { attributes, paths, span, spans } = useRecording()

// What LangChain tells a handler, as it tells it: by position.
type Callbacks = Record<string, (...args: unknown[]) => unknown>
const handler = () => new CallbackHandler() as unknown as Callbacks

const serialized = { id: ['langchain', 'chat_models', 'ChatOpenAI'] }

function ask(callbacks: Callbacks, id: string, more: { params?: object; tags?: string[] } = {}) {
  const extra = { invocation_params: more.params ?? { model: 'gpt-4o' } }
  callbacks.handleLLMStart?.(serialized, ['What?'], id, undefined, extra, more.tags)
}

const answer = (message: object, llmOutput = {}) => ({ generations: [[{ text: '', message }]], llmOutput })
const NESTED = { id: 'c-1', type: 'function', function: { name: 'look', arguments: '{"id":1}' } }
const FLAT = { id: 'c-1', type: 'tool_call', name: 'look', args: { id: 1 } }
const aiMessage = (more: object) => ({ content: 'That.', getType: () => 'ai', ...more })

describe('a LangChain generation', () => {
  it('has the parameters of the request, and its tools beside the messages', () => {
    const callbacks = handler()
    const human = { content: 'What?', getType: () => 'human' }
    const params = { model: 'gpt-4o', temperature: 0, max_tokens: 9, request_timeout: 5, stop: ['x'], tools: ['t'] }
    callbacks.handleChatModelStart?.(serialized, [[human]], 'r-1', undefined, {
      invocation_params: { ...params, tool_choice: 'auto' },
    })
    callbacks.handleLLMEnd?.(answer(aiMessage({ tool_calls: [{ id: 'c-1', name: 't', args: {} }] })), 'r-1')
    expect(attributes('ChatOpenAI')).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'svc.observation.model.name': 'gpt-4o',
      'svc.observation.model.parameters': '{"temperature":0,"max_tokens":9,"request_timeout":5}',
      'svc.observation.input': '{"messages":[{"role":"user","content":"What?"}],"tools":["t"],"tool_choice":"auto"}',
      'svc.observation.output':
        '{"role":"assistant","content":"That.","tool_calls":[{"id":"c-1","name":"t","args":{}}]}',
    })
  })

  it.each([
    [
      'of the message, details apart',
      aiMessage({
        usage_metadata: {
          input_tokens: 10,
          output_tokens: 5,
          total_tokens: 15,
          input_token_details: { cache_read: 4, audio: 20 },
          output_token_details: { reasoning: 2 },
        },
      }),
      {},
      { input: 0, output: 3, total: 15, input_cache_read: 4, input_audio: 20, output_reasoning: 2 },
    ],
    [
      "of the message, with Anthropic's cache by its lifetime",
      aiMessage({
        usage_metadata: {
          input_tokens: 60,
          output_tokens: 2,
          total_tokens: 62,
          input_token_details: { cache_creation: 50, cache_read: 4 },
        },
        response_metadata: {
          usage: { cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 } },
        },
      }),
      {},
      {
        input: 6,
        output: 2,
        total: 62,
        input_cache_read: 4,
        input_cache_creation_5m: 20,
        input_cache_creation_1h: 30,
      },
    ],
    [
      'of the provider, where the message has none',
      aiMessage({}),
      { tokenUsage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 } },
      { input: 10, output: 5, total: 15 },
    ],
    ['of neither, where both are missing', aiMessage({ usage_metadata: null }), { tokenUsage: null }, undefined],
  ])('has the tokens %s', (_, message, llmOutput, usage) => {
    const callbacks = handler()
    ask(callbacks, 'r-1')
    callbacks.handleLLMEnd?.(answer(message, llmOutput), 'r-1')
    const written = attributes('ChatOpenAI')['svc.observation.usage_details']
    expect(written === undefined ? undefined : JSON.parse(String(written))).toEqual(usage)
  })

  it('has the message of an error that is a plain object', () => {
    const callbacks = handler()
    ask(callbacks, 'r-1')
    callbacks.handleLLMError?.({ message: 'overloaded', code: 5 }, 'r-1')
    expect(span('ChatOpenAI').status.message).toBe('overloaded')
  })

  it('has the reason of an Azure refusal', () => {
    const callbacks = handler()
    ask(callbacks, 'r-1')
    const error = Object.assign(new Error('400 filtered'), {
      error: { code: 'content_filter', innererror: { hate: 1 } },
    })
    callbacks.handleLLMError?.(error, 'r-1')
    const details = '{\n  "code": "content_filter",\n  "innererror": {\n    "hate": 1\n  }\n}'
    const message = `Error: 400 filtered\n\nError details:\n${details}`
    expect(span('ChatOpenAI').status.message).toBe(message)
    expect(attributes('ChatOpenAI')).toMatchObject({
      'svc.observation.level': 'ERROR',
      'svc.observation.status_message': message,
    })
  })

  it.each([
    ['as its provider gave them', { additional_kwargs: { tool_calls: [NESTED] } }, { tool_calls: [NESTED] }],
    ['as LangChain reads them, where there is nothing else', {}, { tool_calls: [FLAT] }],
    [
      'of a former kind among what else there is',
      { tool_calls: [], additional_kwargs: { function_call: NESTED.function } },
      { additional_kwargs: { function_call: NESTED.function } },
    ],
  ])('has its tool calls %s', (_, more, written) => {
    const callbacks = handler()
    ask(callbacks, 'r-1')
    callbacks.handleLLMEnd?.(answer(aiMessage({ tool_calls: [FLAT], ...more })), 'r-1')
    expect(JSON.parse(String(attributes('ChatOpenAI')['svc.observation.output']))).toEqual({
      role: 'assistant',
      content: 'That.',
      ...written,
    })
  })

  it('has the results of tools, with additional fields of their provider', () => {
    const callbacks = handler()
    const message = { content: 'sunny', name: 'look', tool_call_id: 'c-1', additional_kwargs: { took: 3 } }
    callbacks.handleChatModelStart?.(serialized, [[{ ...message, getType: () => 'tool' }]], 'r-1')
    callbacks.handleLLMEnd?.(answer(aiMessage({})), 'r-1')
    expect(JSON.parse(String(attributes('ChatOpenAI')['svc.observation.input']))).toEqual([
      { role: 'look', content: 'sunny', tool_call_id: 'c-1', additional_kwargs: { took: 3 } },
    ])
  })

  it('has the model and the cost of the response, whatever the deployment is called', () => {
    const callbacks = handler()
    ask(callbacks, 'r-1', { params: { model: 'my-deployment' } })
    const response_metadata = { model_name: 'gpt-4o-2024-08-06', usage: { cost: 0.0025 } }
    callbacks.handleLLMEnd?.(answer(aiMessage({ response_metadata })), 'r-1')
    expect(attributes('ChatOpenAI')).toMatchObject({
      'svc.observation.model.name': 'gpt-4o-2024-08-06',
      'svc.observation.cost_details': '{"total":0.0025}',
    })
  })

  it('has images in one form for all providers', () => {
    const callbacks = handler()
    const picture = { type: 'image', source_type: 'base64', mime_type: 'image/png', data: 'AAAA' }
    const content = [{ type: 'text', text: 'What?' }, picture]
    callbacks.handleChatModelStart?.(serialized, [[{ content, getType: () => 'human' }]], 'r-1')
    callbacks.handleLLMEnd?.(answer(aiMessage({})), 'r-1')
    expect(JSON.parse(String(attributes('ChatOpenAI')['svc.observation.input']))[0].content).toEqual([
      { type: 'text', text: 'What?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ])
  })

  it('keeps the metadata that LangChain adds for its model', () => {
    const callbacks = handler()
    const metadata = { ls_model_name: 'gpt-4o', ls_provider: 'openai', langgraph_node: 'agent' }
    callbacks.handleLLMStart?.(serialized, ['What?'], 'r-1', undefined, {}, [], metadata)
    callbacks.handleLLMEnd?.(answer(aiMessage({})), 'r-1')
    expect(attributes('ChatOpenAI')).toMatchObject({
      'svc.observation.model.name': 'gpt-4o',
      'svc.observation.metadata.ls_model_name': '"gpt-4o"',
      'svc.observation.metadata.ls_provider': '"openai"',
      'svc.observation.metadata.langgraph_node': 'agent',
    })
  })

  it('has level DEBUG if it is hidden, unless it fails', () => {
    const callbacks = handler()
    ask(callbacks, 'r-1', { tags: ['langsmith:hidden'] })
    callbacks.handleLLMEnd?.(answer(aiMessage({})), 'r-1')
    expect(attributes('ChatOpenAI')).toMatchObject({ 'svc.observation.level': 'DEBUG' })
  })
})

describe('a LangChain chain', () => {
  const human = { content: 'What?', getType: () => 'human' }
  const question = { role: 'user', content: 'What?' }

  it.each([
    ['messages that are all there is', { messages: [human] }, [question]],
    ['messages under `input`', { input: [human] }, [question]],
    ['messages beside something else', { messages: [human], next: 'a' }, { messages: [question], next: 'a' }],
    ['a text under `content`', { content: 'What?' }, 'What?'],
    ['a text under `input`', { input: 'What?' }, { input: 'What?' }],
  ])('has the input: %s', (_, value, written) => {
    const callbacks = handler()
    callbacks.handleChainStart?.({}, value, 'r-1')
    callbacks.handleChainEnd?.({}, 'r-1')
    expect(read('svc.observation.input')).toEqual(written)
  })

  it.each([
    ['a text under `output`', { output: 'That.' }, 'That.'],
    ['anything else under `output`', { output: ['That.'] }, { output: ['That.'] }],
    ['messages', { messages: [human] }, { messages: [question] }],
    ['a message', human, question],
  ])('has the output: %s', (_, value, written) => {
    const callbacks = handler()
    callbacks.handleChainStart?.({}, {}, 'r-1')
    callbacks.handleChainEnd?.(value, 'r-1')
    expect(read('svc.observation.output')).toEqual(written)
  })

  it.each([
    ['the error as it was thrown', new TypeError('no'), 'TypeError: no'],
    [
      'with what its provider says',
      Object.assign(new Error('no'), { error: 'full' }),
      'Error: no\n\nError details:\n"full"',
    ],
    ['without keys', new Error('bad key sk-1234567890abcdef'), 'Error: bad key (hidden)'],
    ['a text', 'no', 'no'],
  ])('fails with %s', (_, error, message) => {
    const callbacks = handler()
    callbacks.handleChainStart?.({}, {}, 'r-1')
    callbacks.handleChainError?.(error, 'r-1')
    expect(attributes('Langchain Run')).toMatchObject({
      'svc.observation.level': 'ERROR',
      'svc.observation.status_message': message,
    })
  })

  function read(name: string): unknown {
    const text = String(attributes('Langchain Run')[name])
    return /^[[{]/.test(text) ? JSON.parse(text) : text
  }
})

describe('a LangChain agent', () => {
  it('reports each action twice, under the run id of its chain and as the run of a tool, which is recorded', () => {
    const callbacks = handler()
    callbacks.handleChainStart?.({ id: ['AgentExecutor'] }, { input: 'What?' }, 'r-1')
    callbacks.handleAgentAction?.({ tool: 'weather', toolInput: { city: 'Paris' }, log: '' }, 'r-1')
    callbacks.handleToolStart?.({}, '{"city":"Paris"}', 'r-2', 'r-1', [], {}, 'look')
    callbacks.handleToolEnd?.('sunny', 'r-2')
    callbacks.handleAgentEnd?.({ returnValues: { output: 'sunny' }, log: '' }, 'r-1')
    callbacks.handleChainEnd?.({ output: 'sunny' }, 'r-1')
    expect(paths()).toEqual(['AgentExecutor', 'AgentExecutor > look'])
    expect(attributes('look')).toMatchObject({
      'svc.observation.type': 'tool',
      'svc.observation.input': '{"city":"Paris"}',
      'svc.observation.output': 'sunny',
    })
    expect(attributes('AgentExecutor')).toMatchObject({ 'svc.observation.output': 'sunny' })
  })

  it('may act at once, and each action is a tool', () => {
    const callbacks = handler()
    callbacks.handleChainStart?.({ id: ['AgentExecutor'] }, { input: 'What?' }, 'r-1')
    for (const tool of ['one', 'two']) callbacks.handleAgentAction?.({ tool }, 'r-1')
    for (const tool of ['two', 'one']) callbacks.handleToolStart?.({ name: tool }, '{}', tool, 'r-1')
    for (const tool of ['one', 'two']) callbacks.handleToolEnd?.('done', tool)
    callbacks.handleAgentEnd?.({ returnValues: { output: 'sunny' } }, 'r-1')
    callbacks.handleChainEnd?.({ output: 'sunny' }, 'r-1')
    expect(paths()).toEqual(['AgentExecutor', 'AgentExecutor > one', 'AgentExecutor > two'])
    expect([attributes('one'), attributes('two')]).toMatchObject([
      { 'svc.observation.type': 'tool' },
      { 'svc.observation.type': 'tool' },
    ])
  })

  it('has a span for an action that no tool follows, also if its chain ends first', () => {
    const callbacks = handler()
    callbacks.handleChainStart?.({}, {}, 'r-1')
    callbacks.handleAgentAction?.({ tool: 'one' }, 'r-1')
    callbacks.handleAgentAction?.({ tool: 'two' }, 'r-1')
    callbacks.handleChainError?.(new Error('no'), 'r-1')
    expect(paths()).toEqual(['Langchain Run', 'Langchain Run > one', 'Langchain Run > two'])
  })
})

describe('malformed LangChain callbacks do not throw:', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  const throwing = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no')
      },
      ownKeys: () => {
        throw new Error('no')
      },
    },
  )

  const names = Object.keys(new CallbackHandler()).filter((name) => name.startsWith('handle'))

  it.each(names)('%s takes anything', (name) => {
    for (const value of [undefined, null, 1, 'x', cyclic, throwing, [throwing], () => 0]) {
      const callbacks = handler()
      expect(callbacks[name]?.(...Array.from({ length: 9 }, () => value))).toBeUndefined()
      expect(callbacks[name]?.(value, value, 'r-1', 'r-0', value, value, value, value)).toBeUndefined()
      callbacks.handleChainEnd?.({}, 'r-1')
      expect(callbacks[name]?.(value, 'r-2')).toBeUndefined()
    }
  })

  it('an end without a start, and a second end', () => {
    const callbacks = handler()
    callbacks.handleLLMEnd?.(answer(aiMessage({})), 'r-1')
    ask(callbacks, 'r-1')
    callbacks.handleLLMEnd?.(answer(aiMessage({})), 'r-1')
    callbacks.handleLLMEnd?.(answer(aiMessage({})), 'r-1')
    expect(spans()).toHaveLength(1)
  })
})

describe('messages as the only input of a LangChain run', () => {
  const inputOf = (messages: readonly unknown[]) => {
    const callbacks = handler()
    callbacks.handleChainStart?.({ id: ['LangGraph'] }, { messages }, 'r-1')
    callbacks.handleChainEnd?.({}, 'r-1')
    return attributes('LangGraph')['svc.observation.input']
  }

  it('are the input if they are LangChain messages', () => {
    expect(inputOf([{ content: 'Hi', getType: () => 'human' }])).toBe('[{"role":"user","content":"Hi"}]')
  })

  it('keep their key if they are plain objects, as version 5 wrote', () => {
    expect(inputOf([{ role: 'user', content: 'Hi' }])).toBe('{"messages":[{"role":"user","content":"Hi"}]}')
  })
})

it('the thread of a graph is the session of its trace, unless the handler has one', () => {
  const sessionOf = (id: string, params?: object) => {
    const callbacks = new CallbackHandler(params) as unknown as Callbacks
    callbacks.handleChainStart?.({ id: [id] }, {}, id, undefined, [], { thread_id: 't-1' })
    callbacks.handleChainEnd?.({}, id)
    return attributes(id)['session.id']
  }
  expect([sessionOf('one'), sessionOf('two', { sessionId: 's-1' })]).toEqual(['t-1', 's-1'])
})

it('a LangChain generation of the handler has the tier that served it, its seed, cost and predictions', () => {
  const callbacks = handler()
  ask(callbacks, 'r-1', { params: { model: 'gpt-4o', seed: 7, service_tier: 'auto' } })
  const usage = { completion_tokens_details: { accepted_prediction_tokens: 3 }, cost: 0.00042 }
  const message = aiMessage({
    usage_metadata: { input_tokens: 6, output_tokens: 9, total_tokens: 15 },
    response_metadata: { service_tier: 'priority', usage },
  })
  callbacks.handleLLMEnd?.(answer(message), 'r-1')
  const read = (name: string) => JSON.parse(String(attributes('ChatOpenAI')[`svc.observation.${name}`]))
  expect(read('model.parameters')).toEqual({ seed: 7, service_tier: 'priority' })
  expect(read('usage_details')).toEqual({ input: 6, output: 9, total: 15, accepted_prediction_tokens: 3 })
  expect(read('cost_details')).toEqual({ total: 0.00042 })
})
