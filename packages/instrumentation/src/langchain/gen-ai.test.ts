import { beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { configure } from '../gen-ai/configure.ts'
import { createCallbacks } from './callbacks.ts'
import { PRELOAD } from './gen-ai.ts'
import { getRun } from './runs.ts'

const callbacks = createCallbacks(PRELOAD)
const question = { content: 'What?', getType: () => 'human' }
const extra = { invocation_params: { model: 'gpt-4o', temperature: 0, tools: [{ name: 't' }] } }
const metadata = { ls_provider: 'azure', plan: 'pro', __internal: 1 }

recordSpans()
beforeEach(() => {
  configure({})
  forgetSpans()
})

function ask(id: string): void {
  callbacks.handleChatModelStart?.({ id: ['AzureChatOpenAI'] }, [[question]], id, undefined, extra, ['a'], metadata)
}

const attributes = () => finishedSpans()[0]?.attributes ?? {}

it("a LangChain model run has request and response in the service's dialect", () => {
  ask('r-1')
  const message = { content: 'That.', getType: () => 'ai', response_metadata: { model_name: 'gpt-4o-1' } }
  callbacks.handleLLMEnd?.({ generations: [[{ message, generationInfo: { finish_reason: 'stop' } }]] }, 'r-1')
  expect(finishedSpans()[0]?.name).toBe('chat gpt-4o')
  expect(attributes()).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'azure.ai.openai',
    'gen_ai.request.model': 'gpt-4o',
    'svc.observation.model.parameters': '{"temperature":0}',
    'svc.observation.input':
      '{"messages":[{"role":"user","content":"What?"}],"tools":[{"type":"function","function":{"name":"t"}}]}',
    'svc.observation.output': '[{"role":"assistant","content":"That."}]',
    'svc.observation.model.name': 'gpt-4o-1',
    'gen_ai.response.finish_reasons': ['stop'],
    'svc.observation.metadata.plan': '"pro"',
    'svc.observation.metadata.tags': '["a"]',
  })
})

it('what a LangChain request names is in its metadata, and the response that it goes on from in its input', () => {
  const invocation_params = { model: 'gpt-4o', previous_response_id: 'resp_1', container: 'container_1' }
  callbacks.handleChatModelStart?.({}, [[question]], 'r-1', undefined, { invocation_params }, [], {})
  callbacks.handleLLMEnd?.({ generations: [] }, 'r-1')
  expect(attributes()).toMatchObject({
    'svc.observation.metadata.previous_response_id': '"resp_1"',
    'svc.observation.metadata.container_id': '"container_1"',
    'svc.observation.input':
      '{"messages":[{"role":"user","content":"[previous response resp_1]"},{"role":"user","content":"What?"}]}',
  })
})

it('a cancelled LangChain response has the text and the tool calls received so far', () => {
  ask('r-1')
  const piece = (args: string, id?: string) => {
    const chunk = { index: 0, args, ...(id ? { id, name: 't' } : {}) }
    return { chunk: { message: { tool_call_chunks: [chunk] } } }
  }
  callbacks.handleLLMNewToken?.('', {}, 'r-1')
  expect(getRun('r-1')?.hasOutput).toBe(false)
  callbacks.handleLLMNewToken?.('Let me see', {}, 'r-1')
  callbacks.handleLLMNewToken?.('', {}, 'r-1', undefined, [], piece('{"city":', 'c-1'))
  callbacks.handleLLMNewToken?.('', {}, 'r-1', undefined, [], piece('"Rome"}'))
  callbacks.handleLLMError?.(Object.assign(new Error('no'), { name: 'AbortError' }), 'r-1')
  const call = { id: 'c-1', type: 'function', function: { name: 't', arguments: '{"city":"Rome"}' } }
  expect(JSON.parse(String(attributes()['svc.observation.output']))).toEqual([
    { role: 'assistant', content: 'Let me see', tool_calls: [call] },
  ])
  expect(attributes()).toMatchObject({
    'svc.observation.completion_start_time': expect.any(String),
    'svc.observation.level': 'WARNING',
  })
})

it('events of a chat model record the first token and partial output, as tokens do', () => {
  ask('r-1')
  const event = (name: string, more = {}) => callbacks.handleChatModelStreamEvent?.({ event: name, ...more }, 'r-1')
  event('message-start')
  event('content-block-start', { index: 0, content: { type: 'text', text: '' } })
  expect(getRun('r-1')?.hasOutput).toBe(false)
  event('content-block-delta', { index: 0, delta: { type: 'reasoning-delta', reasoning: 'Hm.' } })
  expect(getRun('r-1')?.hasOutput).toBe(true)
  event('content-block-delta', { index: 0, delta: { type: 'text-delta', text: 'Let me' } })
  event('content-block-delta', { index: 0, delta: { type: 'text-delta', text: ' see' } })
  event('content-block-start', { index: 1, content: { type: 'tool_call_chunk', id: 'c-1', name: 't' } })
  event('content-block-delta', { index: 1, delta: { type: 'tool-call-delta', args: '{}' } })
  callbacks.handleLLMError?.(Object.assign(new Error('no'), { name: 'AbortError' }), 'r-1')
  const call = { id: 'c-1', type: 'function', function: { name: 't', arguments: '{}' } }
  expect(attributes()).toMatchObject({
    'svc.observation.completion_start_time': expect.any(String),
    'svc.observation.output': JSON.stringify([{ role: 'assistant', content: 'Let me see', tool_calls: [call] }]),
  })
})

it("a LangChain run splits what was written to Anthropic's cache by its lifetime", () => {
  ask('r-1')
  const message = {
    content: 'a',
    getType: () => 'ai',
    usage_metadata: { input_tokens: 60, output_tokens: 2, input_token_details: { cache_creation: 50, cache_read: 4 } },
    response_metadata: {
      usage: { cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 } },
    },
  }
  callbacks.handleLLMEnd?.({ generations: [[{ message }]] }, 'r-1')
  expect(JSON.parse(String(attributes()?.['svc.observation.usage_details']))).toEqual({
    input: 6,
    input_cached_tokens: 4,
    input_cache_creation_5m: 20,
    input_cache_creation_1h: 30,
    output: 2,
    total: 62,
  })
})

it('a LangChain run has what else determines its price, as with the client of the vendor', () => {
  ask('r-1')
  const usage = {
    completion_tokens_details: { accepted_prediction_tokens: 3, rejected_prediction_tokens: 1 },
    cost: '0.00042',
    speed: 'fast',
  }
  const message = {
    content: 'a',
    getType: () => 'ai',
    usage_metadata: { input_tokens: 6, output_tokens: 9 },
    response_metadata: { service_tier: 'priority', usage },
  }
  callbacks.handleLLMEnd?.({ generations: [[{ message }]] }, 'r-1')
  const read = (name: string) => JSON.parse(String(attributes()?.[`svc.observation.${name}`]))
  expect(read('usage_details')).toEqual({
    input: 6,
    output: 9,
    accepted_prediction_tokens: 3,
    rejected_prediction_tokens: 1,
    total: 15,
  })
  expect(read('cost_details')).toEqual({ total: 0.00042 })
  expect(read('model.parameters')).toMatchObject({ service_tier: 'priority', speed: 'fast' })
})

it('a LangChain run without content has models, tokens and names, and no messages', () => {
  configure({ captureContent: false })
  callbacks.handleChainStart?.({ id: ['Chain'] }, { secret: 1 }, 'r-0')
  ask('r-1')
  callbacks.handleLLMNewToken?.('secret', {}, 'r-1')
  const message = { content: 'secret', getType: () => 'ai', usage_metadata: { input_tokens: 1, output_tokens: 2 } }
  callbacks.handleLLMEnd?.({ generations: [[{ message }]] }, 'r-1')
  callbacks.handleToolStart?.({}, '{"secret":1}', 'r-2', 'r-0', [], {}, 'tool', 'c-1')
  callbacks.handleToolEnd?.('secret', 'r-2')
  callbacks.handleRetrieverStart?.({ id: ['Notes'] }, 'secret', 'r-3', 'r-0')
  callbacks.handleRetrieverEnd?.([{ pageContent: 'secret' }], 'r-3')
  callbacks.handleAgentAction?.({ tool: 'tool', log: 'secret' }, 'r-0')
  callbacks.handleChainEnd?.({ secret: 1 }, 'r-0')
  expect(finishedSpans().map(({ name }) => name)).toEqual([
    'chat gpt-4o',
    'execute_tool tool',
    'Notes',
    'tool',
    'Chain',
  ])
  expect(JSON.stringify(finishedSpans().map((span) => span.attributes))).not.toContain('secret')
  expect(attributes()).toMatchObject({ 'svc.observation.usage_details': '{"input":1,"output":2,"total":3}' })
})

it('a stream that breaks has what its chunks had of the answer: id, model, tokens and finish reason', () => {
  const chunk = (message: object) => ({ chunk: { message } })
  const counts = (input_tokens: number, output_tokens: number) => ({
    ...{ input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
    input_token_details: { cache_read: input_tokens > 0 ? 16 : 0 },
  })
  const end = { model_name: 'model-1', stop_reason: 'max_tokens' }
  ask('r-1')
  callbacks.handleLLMNewToken?.('', {}, 'r-1', undefined, [], chunk({ id: 'msg_1', usage_metadata: counts(40, 1) }))
  callbacks.handleLLMNewToken?.('Hal', {}, 'r-1', undefined, [], chunk({ id: 'msg_1', response_metadata: {} }))
  const last = { usage_metadata: counts(0, 20), response_metadata: end }
  callbacks.handleLLMNewToken?.('f', {}, 'r-1', undefined, [], chunk(last))
  callbacks.handleLLMError?.(new Error('gone'), 'r-1')
  expect(attributes()).toMatchObject({
    'gen_ai.response.id': 'msg_1',
    'gen_ai.response.finish_reasons': ['max_tokens'],
    'svc.observation.model.name': 'model-1',
    'svc.observation.usage_details': '{"input":24,"output":20,"input_cached_tokens":16,"total":60}',
  })
})

it('a stream that breaks after thousands of chunks has the text of all of them, in their order', () => {
  const words = Array.from({ length: 2_500 }, (_, at) => `${at} `)
  ask('r-1')
  for (const word of words) callbacks.handleLLMNewToken?.(word, {}, 'r-1')
  callbacks.handleLLMError?.(new Error('gone'), 'r-1')
  const output = JSON.parse(String(attributes()['svc.observation.output']))
  expect(output).toMatchObject([{ role: 'assistant', content: words.join('') }])
})
