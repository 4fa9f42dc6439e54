import type { Attributes } from '@opentelemetry/api'
import { leaveEmpty } from '@svc/core/left-empty'
import { expect, it } from 'vitest'
import * as messages from '../root-io/messages.ts'
import type { ReadableSpan } from '../sdk.ts'
import { rootIo } from './root-io.ts'

const spanOf = (attributes: Attributes = {}) => ({ attributes }) as ReadableSpan
const io = (shown: Attributes | undefined) => [shown?.['svc.observation.input'], shown?.['svc.observation.output']]
const generation = (input: string, output?: string) =>
  spanOf({
    'svc.observation.type': 'generation',
    'svc.observation.input': input,
    ...(output !== undefined && { 'svc.observation.output': output }),
  })

/** What a root shows of calls below it, by the order of their start. */
function shownBy(calls: readonly (readonly [order: number, span: ReadableSpan])[], root = spanOf()) {
  for (const [order, span] of calls) rootIo(span, () => ({ span: root, order }))
  return io(rootIo(root, () => undefined))
}

it('a root on the edge shows the question of the call that started first, and the answer that came last', () => {
  expect(
    shownBy([
      [2, generation('b', 'B')],
      [1, generation('a', 'A')],
      [3, generation('c')],
    ]),
  ).toEqual(['a', 'A'])
})

it('a root on the edge keeps what it has, and what was left out stays empty', () => {
  expect(shownBy([[1, generation('a', 'A')]], spanOf({ 'svc.observation.output': 'own' }))).toEqual(['a', undefined])
  expect(shownBy([[1, generation('a', 'A')]], spanOf({ 'ai.response.text': 'own' }))).toEqual([undefined, undefined])
  const root = spanOf()
  leaveEmpty(root as never, 'input')
  expect(shownBy([[1, generation('a', 'A')]], root)).toEqual([undefined, 'A'])
})

it('open roots on the edge keep as much as those of a server, the latest of them', () => {
  const roots = Array.from({ length: 20 }, () => spanOf())
  const answer = 'x'.repeat(1_000_000)
  for (const root of roots) rootIo(generation('a', answer), () => ({ span: root, order: 1 }))
  const shown = roots.map((root) => io(rootIo(root, undefined)))
  expect(shown.map(([input]) => input)).toEqual([...Array(5), ...Array(15).fill('a')])
})

it('of roots on the edge that never end, only so many are kept', () => {
  const first = spanOf()
  for (let at = 0; at < 2_000; at += 1)
    rootIo(generation('a'), () => ({ span: at === 0 ? first : spanOf(), order: at }))
  expect(rootIo(first, undefined)).toBeUndefined()
})

it('a root on the edge shows what it has once', () => {
  const root = spanOf()
  expect(shownBy([[1, generation('a', 'A')]], root)).toEqual(['a', 'A'])
  expect(rootIo(root, undefined)).toBeUndefined()
})

it.each<readonly [string, Attributes, readonly [string?, string?]]>([
  [
    'the GenAI conventions',
    { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': 'a', 'gen_ai.output.messages': 'A' },
    ['a', 'A'],
  ],
  ['the AI SDK 6', { 'ai.prompt.messages': 'a', 'ai.response.text': 'A' }, ['a', 'A']],
  [
    'an object of the AI SDK 6',
    { 'ai.prompt.messages': 'a', 'ai.response.object': '{"city":"Oslo"}' },
    ['a', '{"city":"Oslo"}'],
  ],
  ['a span that is no call', { 'svc.observation.type': 'tool', 'svc.observation.input': 'a' }, []],
  ['an operation that is no call', { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.input.messages': 'a' }, []],
])('a root on the edge reads %s', (_, attributes, [input, output]) => {
  expect(shownBy([[1, spanOf(attributes)]])).toEqual([input, output])
})

it.each([
  '',
  'a text',
  '{"role":"user"',
  '[]',
  '[{"role":"user","content":"first"},{"role":"assistant","content":"A"},{"role":"user","content":"last \\"word\\""}]',
  '{"messages":[{"role":"user","content":"asked"},{"role":"user","content":[{"type":"tool_result","content":"x"}]}]}',
  '[{"role":"user","content":[{"type":"text","text":"What is"},{"type":"image_url"},{"type":"text","text":"this?"}]}]',
  '[{"role":"user","parts":[{"type":"text","content":"in a part"}]}]',
  '{"city":"Oslo"}',
])('a root on the edge shows what it shows on a server: %s', (content) => {
  expect(shownBy([[1, generation(content, content)]])).toEqual([
    messages.questionIn(content),
    messages.answerIn(content),
  ])
})

it('a root on the edge shows the answer in a whole response of a provider', () => {
  const response = '{"id":"c1","choices":[{"message":{"role":"assistant","content":"A"}}]}'
  expect(shownBy([[1, generation('a', response)]])).toEqual(['a', messages.answerIn(response)])
})

it('a root on the edge shows no conversation without a text, and no question of one that is too long to be read', () => {
  const calls = '[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"look"}}]}]'
  expect(shownBy([[1, generation(calls, calls)]])).toEqual([undefined, undefined])
  const long = `[{"role":"user","content":"${'x'.repeat(1_000_000)}"}]`
  expect(shownBy([[1, generation(long)]])).toEqual([undefined, undefined])
})
