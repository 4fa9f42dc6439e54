import { describe, expect, it } from 'vitest'
import { useRecording } from '../test/support.ts'
import { CallbackHandler } from './index.ts'

const { attributes, paths, span, spans } = useRecording()

// What LangChain tells a handler, as it tells it: by position.
type Told = Record<string, (...args: unknown[]) => unknown>
const handler = () => new CallbackHandler() as unknown as Told

const serialized = { id: ['langchain', 'chat_models', 'ChatOpenAI'] }

function ask(told: Told, id: string, more: { params?: object; tags?: string[] } = {}) {
  const extra = { invocation_params: more.params ?? { model: 'gpt-4o' } }
  told.handleLLMStart?.(serialized, ['What?'], id, undefined, extra, more.tags)
}

const answer = (message: object, llmOutput = {}) => ({ generations: [[{ text: '', message }]], llmOutput })
const NESTED = { id: 'c-1', type: 'function', function: { name: 'look', arguments: '{"id":1}' } }
const FLAT = { id: 'c-1', type: 'tool_call', name: 'look', args: { id: 1 } }
const said = (more: object) => ({ content: 'That.', getType: () => 'ai', ...more })

describe('a generation', () => {
  it('has the parameters of the request, and its tools beside the messages', () => {
    const told = handler()
    const human = { content: 'What?', getType: () => 'human' }
    const params = { model: 'gpt-4o', temperature: 0, max_tokens: 9, request_timeout: 5, stop: ['x'], tools: ['t'] }
    told.handleChatModelStart?.(serialized, [[human]], 'r-1', undefined, {
      invocation_params: { ...params, tool_choice: 'auto' },
    })
    told.handleLLMEnd?.(answer(said({ tool_calls: [{ id: 'c-1', name: 't', args: {} }] })), 'r-1')
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
      said({
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
      'of the provider, where the message has none',
      said({}),
      { tokenUsage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 } },
      { input: 10, output: 5, total: 15 },
    ],
    ['of nobody', said({ usage_metadata: null }), { tokenUsage: null }, undefined],
  ])('has the tokens %s', (_, message, llmOutput, usage) => {
    const told = handler()
    ask(told, 'r-1')
    told.handleLLMEnd?.(answer(message, llmOutput), 'r-1')
    const written = attributes('ChatOpenAI')['svc.observation.usage_details']
    expect(written === undefined ? undefined : JSON.parse(String(written))).toEqual(usage)
  })

  it('says why Azure refused', () => {
    const told = handler()
    ask(told, 'r-1')
    const error = Object.assign(new Error('400 filtered'), {
      error: { code: 'content_filter', innererror: { hate: 1 } },
    })
    told.handleLLMError?.(error, 'r-1')
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
    const told = handler()
    ask(told, 'r-1')
    told.handleLLMEnd?.(answer(said({ tool_calls: [FLAT], ...more })), 'r-1')
    expect(JSON.parse(String(attributes('ChatOpenAI')['svc.observation.output']))).toEqual({
      role: 'assistant',
      content: 'That.',
      ...written,
    })
  })

  it('has the answers of tools, with what else their provider gave', () => {
    const told = handler()
    const message = { content: 'sunny', name: 'look', tool_call_id: 'c-1', additional_kwargs: { took: 3 } }
    told.handleChatModelStart?.(serialized, [[{ ...message, getType: () => 'tool' }]], 'r-1')
    told.handleLLMEnd?.(answer(said({})), 'r-1')
    expect(JSON.parse(String(attributes('ChatOpenAI')['svc.observation.input']))).toEqual([
      { role: 'look', content: 'sunny', tool_call_id: 'c-1', additional_kwargs: { took: 3 } },
    ])
  })

  it('has the model that the answer names, whatever the deployment is called, and the cost that it names', () => {
    const told = handler()
    ask(told, 'r-1', { params: { model: 'my-deployment' } })
    const response_metadata = { model_name: 'gpt-4o-2024-08-06', usage: { cost: 0.0025 } }
    told.handleLLMEnd?.(answer(said({ response_metadata })), 'r-1')
    expect(attributes('ChatOpenAI')).toMatchObject({
      'svc.observation.model.name': 'gpt-4o-2024-08-06',
      'svc.observation.cost_details': '{"total":0.0025}',
    })
  })

  it('shows pictures in the one way that is looked at, whoever the provider is', () => {
    const told = handler()
    const picture = { type: 'image', source_type: 'base64', mime_type: 'image/png', data: 'AAAA' }
    const content = [{ type: 'text', text: 'What?' }, picture]
    told.handleChatModelStart?.(serialized, [[{ content, getType: () => 'human' }]], 'r-1')
    told.handleLLMEnd?.(answer(said({})), 'r-1')
    expect(JSON.parse(String(attributes('ChatOpenAI')['svc.observation.input']))[0].content).toEqual([
      { type: 'text', text: 'What?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ])
  })

  it('keeps the metadata that LangChain makes of its model', () => {
    const told = handler()
    const metadata = { ls_model_name: 'gpt-4o', ls_provider: 'openai', langgraph_node: 'agent' }
    told.handleLLMStart?.(serialized, ['What?'], 'r-1', undefined, {}, [], metadata)
    told.handleLLMEnd?.(answer(said({})), 'r-1')
    expect(attributes('ChatOpenAI')).toMatchObject({
      'svc.observation.model.name': 'gpt-4o',
      'svc.observation.metadata.ls_model_name': '"gpt-4o"',
      'svc.observation.metadata.ls_provider': '"openai"',
      'svc.observation.metadata.langgraph_node': '"agent"',
    })
  })

  it('is of level DEBUG when it is hidden, unless it fails', () => {
    const told = handler()
    ask(told, 'r-1', { tags: ['langsmith:hidden'] })
    told.handleLLMEnd?.(answer(said({})), 'r-1')
    expect(attributes('ChatOpenAI')).toMatchObject({ 'svc.observation.level': 'DEBUG' })
  })
})

describe('a chain', () => {
  const human = { content: 'What?', getType: () => 'human' }
  const asked = { role: 'user', content: 'What?' }

  it.each([
    ['messages that are all there is', { messages: [human] }, [asked]],
    ['messages under `input`', { input: [human] }, [asked]],
    ['messages beside something else', { messages: [human], next: 'a' }, { messages: [asked], next: 'a' }],
    ['a text under `content`', { content: 'What?' }, 'What?'],
    ['a text under `input`', { input: 'What?' }, { input: 'What?' }],
  ])('goes in: %s', (_, value, written) => {
    const told = handler()
    told.handleChainStart?.({}, value, 'r-1')
    told.handleChainEnd?.({}, 'r-1')
    expect(read('svc.observation.input')).toEqual(written)
  })

  it.each([
    ['a text under `output`', { output: 'That.' }, 'That.'],
    ['anything else under `output`', { output: ['That.'] }, { output: ['That.'] }],
    ['messages', { messages: [human] }, { messages: [asked] }],
    ['a message', human, asked],
  ])('comes out: %s', (_, value, written) => {
    const told = handler()
    told.handleChainStart?.({}, {}, 'r-1')
    told.handleChainEnd?.(value, 'r-1')
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
    const told = handler()
    told.handleChainStart?.({}, {}, 'r-1')
    told.handleChainError?.(error, 'r-1')
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

describe('an agent', () => {
  it('tells of its actions under the id of its chain, and both are there', () => {
    const told = handler()
    told.handleChainStart?.({ id: ['AgentExecutor'] }, { input: 'What?' }, 'r-1')
    told.handleAgentAction?.({ tool: 'weather', toolInput: { city: 'Paris' }, log: '' }, 'r-1')
    told.handleToolStart?.({}, '{"city":"Paris"}', 'r-2', 'r-1', [], {}, 'look')
    told.handleToolEnd?.('sunny', 'r-2')
    told.handleAgentEnd?.({ returnValues: { output: 'sunny' }, log: '' }, 'r-1')
    told.handleChainEnd?.({ output: 'sunny' }, 'r-1')
    expect(paths()).toEqual(['AgentExecutor', 'AgentExecutor > look', 'AgentExecutor > weather'])
    expect(attributes('weather')).toMatchObject({
      'svc.observation.type': 'span',
      'svc.observation.input': '{"tool":"weather","toolInput":{"city":"Paris"},"log":""}',
      'svc.observation.output': '{"returnValues":{"output":"sunny"},"log":""}',
    })
    expect(attributes('look')).toMatchObject({
      'svc.observation.type': 'tool',
      'svc.observation.input': '{"city":"Paris"}',
      'svc.observation.output': 'sunny',
    })
    expect(attributes('AgentExecutor')).toMatchObject({ 'svc.observation.output': 'sunny' })
  })

  it('whose chain ends first leaves no action open', () => {
    const told = handler()
    told.handleChainStart?.({}, {}, 'r-1')
    told.handleAgentAction?.({ tool: 'one' }, 'r-1')
    told.handleAgentAction?.({ tool: 'two' }, 'r-1')
    told.handleChainError?.(new Error('no'), 'r-1')
    expect(paths()).toEqual(['Langchain Run', 'Langchain Run > one', 'Langchain Run > two'])
  })
})

describe('nothing that LangChain tells can hurt', () => {
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
      const told = handler()
      expect(told[name]?.(...Array.from({ length: 9 }, () => value))).toBeUndefined()
      expect(told[name]?.(value, value, 'r-1', 'r-0', value, value, value, value)).toBeUndefined()
      told.handleChainEnd?.({}, 'r-1')
      expect(told[name]?.(value, 'r-2')).toBeUndefined()
    }
  })

  it('an end without a beginning, or another one, is nothing', () => {
    const told = handler()
    told.handleLLMEnd?.(answer(said({})), 'r-1')
    ask(told, 'r-1')
    told.handleLLMEnd?.(answer(said({})), 'r-1')
    told.handleLLMEnd?.(answer(said({})), 'r-1')
    expect(spans()).toHaveLength(1)
  })
})
