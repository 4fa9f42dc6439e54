import { expect, it } from 'vitest'
import type { Fields } from '../gen-ai/read.ts'
import { findReader } from './families.ts'
import { InvokeStreamAccumulator, readInvokeResponse } from './invoke.ts'

const asked = { messages: [{ role: 'user', content: 'How is the weather?' }] }

it.each([
  'google.gemma-3-27b-it',
  'minimax.minimax-m2',
  'moonshot.kimi-k2-thinking',
  'nvidia.nemotron-nano-9b-v2',
  'us.writer.palmyra-x5-v1:0',
  'arn:aws:bedrock:us-east-1:123456789012:imported-model/abc',
])('%s is asked in the words of OpenAI', (model) => {
  const reader = findReader(model, asked)
  expect(reader?.readRequest(asked).messages?.[0]?.parts).toEqual([{ type: 'text', content: 'How is the weather?' }])
  const body = { choices: [{ index: 0, message: { role: 'assistant', content: 'Sunny' }, finish_reason: 'stop' }] }
  expect(readInvokeResponse({ body: JSON.stringify(body) }, reader).messages?.[0]?.parts).toEqual([
    { type: 'text', content: 'Sunny' },
  ])
})

it('Nova is asked in words of its own, by a profile as well', () => {
  const request = { messages: [{ role: 'user', content: [{ text: 'How is it?' }] }], inferenceConfig: { maxTokens: 9 } }
  const profile = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc'
  expect(findReader(profile, request)?.readRequest(request).messages?.[0]?.parts).toEqual([
    { type: 'text', content: 'How is it?' },
  ])
})

it('a model that is asked for images is none', () => {
  expect(findReader('stability.sd3-5-large-v1:0', { prompt: 'A cat' })).toBeUndefined()
})

it('that a guardrail intervened is a finish reason', () => {
  const reader = findReader('anthropic.claude-3-haiku-20240307-v1:0', asked)
  const body = { type: 'message', stop_reason: 'end_turn', content: [], 'amazon-bedrock-guardrailAction': 'INTERVENED' }
  const reasons = ['end_turn', 'guardrail_intervened']
  expect(readInvokeResponse({ body: JSON.stringify(body) }, reader).finishReasons).toEqual(reasons)
  const accumulator = new InvokeStreamAccumulator(reader)
  const events: Fields[] = [
    { type: 'message_start', message: {}, 'amazon-bedrock-guardrailAction': 'NONE' },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, 'amazon-bedrock-guardrailAction': 'INTERVENED' },
    { type: 'message_stop', 'amazon-bedrock-guardrailAction': 'NONE' },
  ]
  for (const event of events) accumulator.add({ chunk: { bytes: new TextEncoder().encode(JSON.stringify(event)) } })
  expect(accumulator.response.finishReasons).toEqual(reasons)
})
