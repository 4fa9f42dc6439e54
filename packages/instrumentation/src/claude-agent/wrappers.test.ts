import { afterEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { wrappers } from './wrappers.ts'

recordSpans()
afterEach(forgetSpans)

it('a synchronous error of a Claude query is thrown and recorded', () => {
  const query = wrappers.query?.(() => {
    throw new RangeError('no')
  })
  expect(() => query?.({ prompt: 'Hi' })).toThrow('no')
  expect(finishedSpans().map(({ status }) => status.message)).toEqual(['no'])
})

it.each([undefined, null, 7, {}])('a Claude query may return %j', (given) => {
  expect(wrappers.query?.(() => given)({ prompt: 'Hi' })).toBe(given)
})

it('a call that is left to a person interrupts a Claude query', async () => {
  const call = { id: 'toolu_1', name: 'Bash', input: { command: 'rm' } }
  const query = wrappers.query?.(async function* () {
    yield { type: 'system', subtype: 'init', session_id: 's1', model: 'claude-test' }
    const message = { id: 'm1', model: 'claude-test', content: [{ type: 'tool_use', ...call }] }
    yield { type: 'assistant', message, parent_tool_use_id: null }
    yield { type: 'result', subtype: 'success', result: '', session_id: 's1', deferred_tool_use: call }
  })
  const messages = query?.({ prompt: 'Clean up.' }) ?? []
  for await (const _ of messages as AsyncIterable<unknown>);
  const spans = finishedSpans().map(({ name, status, attributes }) => [
    name,
    attributes['svc.observation.status_message'],
    status.code,
  ])
  expect(spans).toEqual([
    ['chat claude-test', undefined, 0],
    ['execute_tool Bash', 'interrupted', 0],
    ['invoke_agent', 'interrupted', 0],
  ])
  expect(JSON.parse(String(finishedSpans().at(-1)?.attributes['svc.observation.output']))).toMatchObject([
    { role: 'assistant', tool_calls: [{ id: 'toolu_1', function: { name: 'Bash', arguments: '{"command":"rm"}' } }] },
  ])
})
