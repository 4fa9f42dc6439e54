import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { endOpenCalls } from '@svc/core/open-calls'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { createCallbacks } from './callbacks.ts'
import { PRELOAD } from './gen-ai.ts'
import { getRun } from './runs.ts'

const { handleChainStart, handleChainEnd } = createCallbacks(PRELOAD)
const start = (id: string, parentId?: string) => handleChainStart?.({ id: [id] }, { input: id }, id, parentId)
const names = () => finishedSpans().map(({ name }) => name)
const outcomes = () => finishedSpans().map(({ attributes }) => attributes['svc.observation.metadata.outcome'])

recordSpans()
beforeEach(() => {
  endOpenCalls()
  forgetSpans()
})

describe('the table of open LangChain runs', () => {
  it('is bounded in number: the oldest run is ended', () => {
    for (let index = 0; index <= 10_000; index += 1) start(`r-${index}`)
    expect(names()).toEqual(['r-0'])
    expect(outcomes()).toEqual(['"abandoned"'])
    expect(getRun('r-0')).toBeUndefined()
    expect(getRun('r-10000')?.ended).toBe(false)
  })

  it('is bounded in time: a run is ended six hours after its start', () => {
    const clock = vi.spyOn(performance, 'now')
    start('old')
    clock.mockReturnValue(performance.now() + 6 * 3_600_000)
    start('new')
    clock.mockRestore()
    expect(names()).toEqual(['old'])
    expect(getRun('new')?.ended).toBe(false)
  })

  it('is ended at exit, children first', () => {
    start('above')
    start('below', 'above')
    endOpenCalls()
    expect(names()).toEqual(['below', 'above'])
    expect(outcomes()).toEqual(['"unfinished"', '"unfinished"'])
    expect(getRun('above')).toBeUndefined()
  })

  it('does not keep runs that have ended', () => {
    start('once')
    handleChainEnd?.({}, 'once')
    expect(getRun('once')).toBeUndefined()
    expect(names()).toEqual(['once'])
  })
})

describe('the parent of a LangChain run', () => {
  it('is its parent run, in any context', () => {
    start('above')
    context.with(ROOT_CONTEXT, () => start('below', 'above'))
    expect(parentOf('below')).toBe(spanIdOf('above'))
  })

  it("is the application's span between a run and its parent run", () => {
    start('above')
    const above = getRun('above')
    const between = trace.getTracer('app').startSpan('between', {}, above?.context)
    context.with(trace.setSpan(above?.context ?? ROOT_CONTEXT, between), () => start('below', 'above'))
    expect(parentOf('below')).toBe(between.spanContext().spanId)
  })

  it('is the active span if its parent run is unknown', () => {
    const around = trace.getTracer('app').startSpan('around')
    context.with(trace.setSpan(ROOT_CONTEXT, around), () => start('below', 'never-seen'))
    expect(parentOf('below')).toBe(around.spanContext().spanId)
  })
})

function spanIdOf(id: string): string | undefined {
  return trace.getSpanContext(getRun(id)?.context ?? ROOT_CONTEXT)?.spanId
}

function parentOf(id: string): string | undefined {
  handleChainEnd?.({}, id)
  return finishedSpans().find(({ name }) => name === id)?.parentSpanContext?.spanId
}

describe('a graph that waits for a person', () => {
  const { handleChainError } = createCallbacks(PRELOAD)
  const thread = { thread_id: 't-1' }
  const begin = (id: string, parentId?: string) =>
    handleChainStart?.({ id: [id] }, {}, id, parentId, [], thread, undefined, id)
  const span = (name: string) => finishedSpans().find((each) => each.name === name)
  const pause = () => {
    begin('graph')
    begin('ask', 'graph')
    const interrupts = [{ id: 'i', value: { q: 'sure?' } }]
    handleChainError?.({ name: 'GraphInterrupt', is_bubble_up: true, interrupts }, 'ask')
    handleChainEnd?.({ steps: [] }, 'graph')
  }

  it('has the question as its output, and as that of the node that asks', () => {
    pause()
    const told = ['ask', 'graph'].map((name) => span(name)?.attributes ?? {})
    expect(told.map((attributes) => attributes['svc.observation.output'])).toEqual([
      '{"q":"sure?"}',
      '{"steps":[],"__interrupt__":[{"value":{"q":"sure?"}}]}',
    ])
    for (const attributes of told) {
      expect(attributes['svc.observation.status_message']).toBe('interrupted')
      expect(attributes['svc.observation.level']).toBeUndefined()
    }
  })

  it('is linked by the run of its thread that resumes it, and by no later one', () => {
    pause()
    for (const name of ['resumed', 'later']) {
      begin(name)
      handleChainEnd?.({}, name)
    }
    const before = span('graph')?.spanContext().spanId
    expect(span('resumed')?.links.map(({ context }) => context.spanId)).toEqual([before])
    expect(span('later')?.links).toEqual([])
  })
})
