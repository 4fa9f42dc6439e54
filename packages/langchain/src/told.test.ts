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
    const message = '400 filtered\n\nError details:\n{"code":"content_filter","innererror":{"hate":1}}'
    expect(span('ChatOpenAI').status.message).toBe(message)
    expect(attributes('ChatOpenAI')).toMatchObject({
      'svc.observation.level': 'ERROR',
      'svc.observation.status_message': message,
    })
  })

  it('is of level DEBUG when it is hidden, unless it fails', () => {
    const told = handler()
    ask(told, 'r-1', { tags: ['langsmith:hidden'] })
    told.handleLLMEnd?.(answer(said({})), 'r-1')
    expect(attributes('ChatOpenAI')).toMatchObject({ 'svc.observation.level': 'DEBUG' })
  })
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
