import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { configure } from '../gen-ai/configure.ts'
import { processor, setTraceReader } from './processor.ts'

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

describe('the workflow of a run that fails, whose trace the library does not end', () => {
  const error = { message: 'Error in agent run', data: { error: 'Error: model down' } }
  const started = { traceId, name: 'run' }
  const fail = (spanId: string) => {
    begin(spanId, undefined, agent)
    processor.onSpanEnd({ spanId, traceId, spanData: agent, error })
  }
  const told = () => finishedSpans().map(({ name, status }) => [name, status.message])

  it('ends with the error of its last step when no other one follows', () => {
    processor.onTraceStart(started)
    fail('a')
    expect(told()).toEqual([['invoke_agent Guide', 'Error in agent run: Error: model down']])
    vi.runAllTimers()
    expect(told().at(-1)).toEqual(['run', 'Error in agent run: Error: model down'])
    const [step, run] = finishedSpans()
    expect(Number(run?.endTime[0]) - Number(step?.endTime[0])).toBeLessThanOrEqual(1)
  })

  it('goes on if another step follows', () => {
    processor.onTraceStart(started)
    fail('a')
    vi.advanceTimersByTime(4_000)
    begin('b', undefined, agent)
    vi.runAllTimers()
    end('b', agent)
    processor.onTraceEnd(started)
    expect(told().at(-1)).toEqual(['run', undefined])
  })

  it('has the steps below it that follow after its end', () => {
    setTraceReader(() => started)
    processor.onTraceStart(started)
    fail('a')
    vi.runAllTimers()
    begin('b', undefined, agent)
    end('b', agent)
    const [, run, late] = finishedSpans()
    expect(late?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId)
    setTraceReader(() => undefined)
  })
})
