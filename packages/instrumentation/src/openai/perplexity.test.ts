import { expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { chat } from './chat.ts'
import { patchPerplexity } from './compatible.ts'
import { responses } from './responses.ts'

recordSpans()

// What Perplexity's two APIs have beside those of OpenAI.

const source = { id: 1, title: 'Weather', url: 'https://weather.test/paris', snippet: 'Sunny.' }
const output = [
  { type: 'search_results', queries: ['weather Paris'], results: [source] },
  {
    type: 'sandbox_results',
    call_id: 'call_1',
    language: 'bash',
    code: 'ls',
    results: [{ stdout: 'a' }],
    status: 'completed',
  },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Sunny.', annotations: [] }] },
]
const usage = {
  input_tokens: 40,
  output_tokens: 5,
  total_tokens: 45,
  input_tokens_details: { cache_creation_input_tokens: 4, cache_read_input_tokens: 16 },
  cost: { currency: 'USD', input_cost: 0.001, output_cost: 0.002, total_cost: 0.003 },
}
const parts = [
  { type: 'tool_call', name: 'search', arguments: { queries: ['weather Paris'] } },
  { type: 'tool_call_response', name: 'search', response: [source] },
  { type: 'tool_call', id: 'call_1', name: 'sandbox', arguments: { language: 'bash', code: 'ls' } },
  { type: 'tool_call_response', id: 'call_1', name: 'sandbox', response: [{ stdout: 'a' }] },
  { type: 'text', content: 'Sunny.' },
]

it('a response has what was searched and run as calls with their results, the sources, the cache and the cost', () => {
  const response = { id: 'r', model: 'm', status: 'completed', output, usage }
  const events = responses.createAccumulator()
  events.add({ type: 'response.reasoning.started', thought: 'Look ' })
  events.add({ type: 'response.reasoning.search_queries', thought: 'it up.', queries: ['weather Paris'] })
  events.add({ type: 'response.completed', response })
  const expected = { usage: { input: 40, output: 5, cacheRead: 16, cacheWrite: 4 }, cost: 0.003, citations: [source] }
  expect(responses.readResponse(response)).toMatchObject({ ...expected, messages: [{ parts }] })
  const thought = { type: 'reasoning', content: 'Look it up.' }
  expect(events.response).toMatchObject({ ...expected, messages: [{ parts: [thought, ...parts] }] })
})

it('a response that fails has its error, which stands in the event, and what was said before', () => {
  const events = responses.createAccumulator()
  events.add({ type: 'response.created', response: { id: 'r', model: 'm' } })
  events.add({ type: 'response.output_text.delta', output_index: 0, delta: 'Sun' })
  events.add({ type: 'response.failed', error: { code: 'server_error', message: 'It broke.' } })
  expect(events.response).toMatchObject({
    ...{ id: 'r', model: 'm', finishReasons: ['failed'] },
    messages: [{ parts: [{ type: 'text', content: 'Sun' }] }],
    failure: { type: 'server_error', message: 'It broke.' },
  })
})

it('a chat completion has its steps as reasoning', () => {
  const steps = [{ thought: 'Search.', web_search: { search_keywords: [] } }, { thought: 'Read.' }]
  const stream = chat.createAccumulator()
  for (const step of steps) stream.add({ choices: [{ delta: { reasoning_steps: [step] } }] })
  stream.add({ choices: [{ delta: { content: 'Sunny.' } }] })
  const whole = chat.readResponse({ choices: [{ message: { content: 'Sunny.', reasoning_steps: steps } }] })
  for (const { messages } of [whole, stream.response]) {
    expect(messages?.[0]?.parts).toEqual([
      { type: 'reasoning', content: 'Search.\nRead.' },
      { type: 'text', content: 'Sunny.' },
    ])
  }
})

it.each([
  ['COMPLETED', { response: { choices: [{ message: { content: 'Sunny.' }, finish_reason: 'stop' }], usage: {} } }, 0],
  ['FAILED', { error_message: 'It broke.' }, 2],
])('an answer that comes later is that of the call, once somebody asks for it: %s', async (status, said, code) => {
  const states = ['CREATED', 'IN_PROGRESS', status]
  class Answer extends Promise<object> {
    async parseResponse(state: object): Promise<object> {
      return state
    }
  }
  const tell = async () => {
    const state = states.shift()
    return { id: 'a-1', model: 'sonar', status: state, ...(state === status && said) }
  }
  class Perplexity {
    post(..._: unknown[]): Answer {
      return Answer.resolve(tell()) as Answer
    }
    get(..._: unknown[]): Answer {
      return Answer.resolve(tell()) as Answer
    }
  }
  patchPerplexity({ Perplexity })
  const parsed = async (promise: Answer) => promise.parseResponse(await promise)
  const client = new Perplexity()
  forgetSpans()
  const request = { model: 'sonar', messages: [{ role: 'user', content: 'Hi' }] }
  await parsed(client.post('/async/chat/completions', { body: { request } }))
  await parsed(client.get('/async/chat/completions/a-1'))
  expect(finishedSpans()).toEqual([])
  await parsed(client.get('/async/chat/completions/a-1'))
  const [{ status: ended, attributes } = {}] = finishedSpans()
  expect(ended?.code).toBe(code)
  expect(attributes).toMatchObject({
    'gen_ai.request.model': 'sonar',
    'gen_ai.response.id': 'a-1',
    'svc.observation.input': '{"messages":[{"role":"user","content":"Hi"}]}',
    ...(code === 0 && { 'svc.observation.output': '[{"role":"assistant","content":"Sunny."}]' }),
  })
})
