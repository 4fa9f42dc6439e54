import { expect, it } from 'vitest'
import { StreamedOutput } from './streamed-output.ts'
import { tokenCounts } from './token-counts.ts'

function outputOf(...chunks: readonly unknown[]): StreamedOutput {
  const output = new StreamedOutput({ touch() {} })
  for (const chunk of chunks) output.add(chunk)
  return output
}

const text = (delta: unknown) => ({ type: 'text-delta', id: '1', delta })
const WEATHER = { toolCallId: 'call-1', toolName: 'weather' }

it('streamed text, reasoning and tool calls are joined in the attributes of each major version', () => {
  const output = outputOf(
    { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
    text('One '),
    text('word'),
    { type: 'tool-input-start', id: 'call-1', toolName: 'weather' },
    { type: 'tool-input-delta', id: 'call-1', delta: '{"city":' },
    { type: 'tool-input-delta', id: 'call-1', delta: '"Rome"}' },
    { type: 'tool-call', ...WEATHER, input: '{"city":"Rome"}' },
  )
  expect(output.attributes('ai', false, true)).toEqual({
    'ai.response.text': 'One word',
    'ai.response.reasoning': 'Hm.',
    'ai.response.toolCalls': JSON.stringify([{ type: 'tool-call', ...WEATHER, input: { city: 'Rome' } }]),
  })
  const answer = { role: 'assistant', content: 'One word', thinking: [{ type: 'thinking', content: 'Hm.' }] }
  const call = { id: 'call-1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }
  expect(output.attributes('gen_ai', true, true)).toEqual({
    'svc.observation.output': JSON.stringify([{ ...answer, tool_calls: [call] }]),
  })
  // The whole call has the answer without the way to it.
  expect(output.attributes('gen_ai', false, true)).toEqual({ 'svc.observation.output': JSON.stringify([answer]) })
})

it('a streamed tool call may be cut off, or arrive complete', () => {
  const cut = outputOf(
    { type: 'tool-input-start', id: 'call-1', toolName: 'weather' },
    { type: 'tool-input-delta', id: 'call-1', delta: '{"ci' },
  )
  expect(cut.toolCalls).toEqual([{ id: 'call-1', name: 'weather', input: '{"ci' }])
  expect(outputOf({ type: 'tool-call', ...WEATHER, input: '{}' }).toolCalls).toEqual([
    { id: 'call-1', name: 'weather', input: {} },
  ])
})

it('response id and model are recorded for the model only, and no content if it is switched off', () => {
  const output = outputOf({ type: 'response-metadata', id: 'response-1', modelId: 'model-1' }, text('Hello'))
  expect(output.attributes('gen_ai', true, false)).toEqual({
    'gen_ai.response.id': 'response-1',
    'gen_ai.response.model': 'model-1',
  })
  expect(output.attributes('gen_ai', false, false)).toEqual({})
})

it('token counts in the last chunk are read in the form of each model specification', () => {
  const counts = {
    'gen_ai.usage.input_tokens': 9,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.usage.cache_read.input_tokens': 4,
    'gen_ai.usage.cache_creation.input_tokens': 2,
    'gen_ai.usage.reasoning.output_tokens': 3,
  }
  const { 'gen_ai.usage.cache_creation.input_tokens': _, ...older } = counts
  const finish = (usage: unknown) => tokenCounts(outputOf({ type: 'finish', usage }).finish, 'gen_ai')
  expect(finish({ inputTokens: 9, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 3 })).toEqual(older)
  expect(
    finish({ inputTokens: { total: 9, cacheRead: 4, cacheWrite: 2 }, outputTokens: { total: 5, reasoning: 3 } }),
  ).toEqual(counts)
})

it.each([
  [undefined],
  [null],
  ['text'],
  [7],
  [{}],
  [text(7)],
  [{ type: 'tool-call' }],
  [{ type: 'finish', usage: 'x' }],
])('a stream chunk of %j adds no attribute', (piece) => {
  expect(outputOf(piece).attributes('gen_ai', true, true)).toEqual({})
})

it('at most 128 streamed tool calls are kept', () => {
  const chunks = Array.from({ length: 200 }, (_, at) => ({
    type: 'tool-call',
    toolCallId: `${at}`,
    toolName: 'a',
    input: '1',
  }))
  expect(outputOf(...chunks).toolCalls).toHaveLength(128)
})
