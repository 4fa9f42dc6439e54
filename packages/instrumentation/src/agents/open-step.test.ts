import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { configure } from '../gen-ai/configure.ts'
import { processor } from './processor.ts'

recordSpans()
beforeEach(() => {
  forgetSpans()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  configure({})
})

const traceId = 'trace_1'
const responseOf = (text: string) => ({
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
})
const inputOf = (text: string) => [{ role: 'user', content: text }]

const begin = (spanId: string, parentId: string | undefined, spanData: object) =>
  processor.onSpanStart({ spanId, parentId, traceId, spanData })
const end = (spanId: string, spanData: object) => processor.onSpanEnd({ spanId, traceId, spanData })
const model = (spanId: string, parentId: string, question: string, answer: string) => {
  const spanData = { type: 'response', _input: inputOf(question), _response: responseOf(answer) }
  begin(spanId, parentId, spanData)
  return () => end(spanId, spanData)
}
const agent = { type: 'agent', name: 'Guide' }

const firstOf = (responseOf: unknown) => {
  const value = typeof responseOf === 'string' ? JSON.parse(responseOf) : undefined
  return (value?.messages ?? value)?.[0].content
}

/** Question and answer of each span that is no call of a model. */
const recordedContent = () =>
  finishedSpans().flatMap(({ name, attributes }) => {
    if (name.startsWith('chat')) return []
    const [input, output] = ['input', 'output'].map((way) => attributes[`svc.observation.${way}`])
    return [[name, firstOf(input), firstOf(output)]]
  })

describe('the spans of an agent and of its workflow', () => {
  it('have the input of their first model call and the output of the last one', () => {
    processor.onTraceStart({ traceId, name: 'run' })
    begin('a', undefined, agent)
    model('m1', 'a', 'Where am I?', 'In Paris.')()
    model('m2', 'a', 'And now?', 'Still in Paris.')()
    begin('f', 'a', { type: 'function', name: 'look' })
    model('m3', 'f', 'What is seen?', 'A tower.')()
    end('f', { type: 'function', name: 'look' })
    end('a', agent)
    processor.onTraceEnd({ traceId })
    expect(recordedContent()).toEqual([
      ['execute_tool look', undefined, undefined],
      ['invoke_agent Guide', 'Where am I?', 'Still in Paris.'],
      ['run', 'Where am I?', 'Still in Paris.'],
    ])
  })

  it('have no content if content is switched off', () => {
    configure({ captureContent: false })
    processor.onTraceStart({ traceId, name: 'run' })
    model('m', traceId, 'Where am I?', 'In Paris.')()
    processor.onTraceEnd({ traceId })
    expect(recordedContent()).toEqual([['run', undefined, undefined]])
  })
})

it('at most 10,000 steps are open: the oldest one ends', () => {
  processor.onTraceStart({ traceId, name: 'run' })
  for (let step = 0; step < 9_999; step += 1) begin(`s${step}`, traceId, { type: 'function', name: `tool ${step}` })
  expect(finishedSpans()).toEqual([])
  begin('last', traceId, { type: 'function', name: 'last' })
  expect(finishedSpans().map(({ name }) => name)).toEqual(['run'])
  for (let step = 0; step < 9_999; step += 1) end(`s${step}`, { type: 'function', name: `tool ${step}` })
  end('last', { type: 'function', name: 'last' })
})

describe('a workflow that ends before its steps', () => {
  it('does not keep the process alive', () => {
    vi.useRealTimers()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    processor.onTraceStart({ traceId, name: 'run' })
    const answered = model('m', traceId, 'Where am I?', 'In Paris.')
    processor.onTraceEnd({ traceId })
    expect(timers()).toBe(before)
    answered()
  })

  it('is recorded as ended after them', () => {
    processor.onTraceStart({ traceId, name: 'run' })
    const answered = model('m', traceId, 'Where am I?', 'In Paris.')
    processor.onTraceEnd({ traceId })
    expect(recordedContent()).toEqual([])
    answered()
    vi.runAllTimers()
    expect(recordedContent()).toEqual([['run', 'Where am I?', 'In Paris.']])
  })

  it('waits for them at most a second', () => {
    processor.onTraceStart({ traceId, name: 'run' })
    const answered = model('m', traceId, 'Where am I?', 'In Paris.')
    processor.onTraceEnd({ traceId })
    vi.advanceTimersByTime(1_000)
    expect(recordedContent()).toEqual([['run', undefined, undefined]])
    answered()
    expect(recordedContent()).toHaveLength(1)
  })
})
