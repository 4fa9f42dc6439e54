import { afterEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { processor, setTraceReader } from './processor.ts'

recordSpans()
afterEach(() => {
  setTraceReader(() => undefined)
  forgetSpans()
})

const STATUS = 'svc.observation.status_message'
const run = { traceId: 'trace_1', name: 'run' }
const step = (spanId: string, parentId: string | null, spanData: object, inside: () => void = () => {}) => {
  const told = { spanId, parentId, traceId: run.traceId, spanData }
  processor.onSpanStart(told)
  inside()
  processor.onSpanEnd(told)
}
const agent = { type: 'agent', name: 'Guide' }
const asking = (...types: string[]) => ({ type: 'response', _response: { output: types.map((type) => ({ type })) } })
const statuses = () => finishedSpans().map(({ name, attributes }) => [name, attributes[STATUS]])

it('a run that ends before a tool that its model asked for has run waits for a person, and is resumed by what is linked', () => {
  processor.onTraceStart(run)
  step('a', null, agent, () => {
    step('m', 'a', asking('function_call', 'function_call'))
    step('f', 'a', { type: 'function', name: 'look' })
  })
  processor.onTraceEnd(run)
  expect(statuses().slice(-2)).toEqual([
    ['invoke_agent Guide', 'interrupted'],
    ['run', 'interrupted'],
  ])
  const paused = finishedSpans().at(-1)
  setTraceReader(() => run)
  step('b', null, agent)
  const resumed = finishedSpans().at(-1)
  expect(resumed?.links.map(({ context }) => context.spanId)).toEqual([paused?.spanContext().spanId])
  expect(resumed?.attributes[STATUS]).toBeUndefined()
})

it('a run whose tools have run, or that was handed over, does not', () => {
  processor.onTraceStart(run)
  step('a', null, agent, () => {
    step('m1', 'a', asking('function_call'))
    step('f', 'a', { type: 'function', name: 'look' })
    step('m2', 'a', asking('function_call', 'function_call'))
    step('h', 'a', { type: 'handoff', to_agent: 'Expert' })
  })
  step('b', null, agent, () => step('m3', 'b', asking('message')))
  processor.onTraceEnd(run)
  expect(statuses().filter(([, status]) => status !== undefined)).toEqual([])
})

it.each([['shell_call'], ['apply_patch_call'], ['computer_call']])(
  'a run waits for a person that is to approve a %s, if its vendor has not run it',
  (type) => {
    const items = [{ type, call_id: 'c1' }]
    for (const output of [items, [...items, { type: `${type}_output`, call_id: 'c1' }]]) {
      processor.onTraceStart(run)
      step('a', null, agent, () => step('m', 'a', { type: 'response', _response: { output } }))
      processor.onTraceEnd(run)
    }
    expect(statuses()).toEqual([
      ['chat', undefined],
      ['invoke_agent Guide', 'interrupted'],
      ['run', 'interrupted'],
      ['chat', undefined],
      ['invoke_agent Guide', undefined],
      ['run', undefined],
    ])
  },
)
