import { expect, it } from 'vitest'
import { CallTexts } from './call-texts.ts'
import { operationOf, requestedFields } from './operations.ts'

it('a call of the AI SDK 7 that waits for the approval of a tool says so', () => {
  const recorded = { inputs: true, outputs: true, texts: new CallTexts() }
  const statusOf = (type: string) =>
    operationOf('ai.generateText').end({ finalStep: { content: [{ type }] } }, recorded)[
      'svc.observation.status_message'
    ]
  expect([statusOf('tool-approval-request'), statusOf('text')]).toEqual(['interrupted', undefined])
})

it('a call of the AI SDK 7 and the one that goes on from it have the ids of their approvals', () => {
  const recorded = { inputs: false, outputs: false, texts: new CallTexts() }
  const part = (type: string) => ({ type, approvalId: 'a-1' })
  const { start, end } = operationOf('ai.generateText')
  const asking = end({ finalStep: { content: [part('tool-approval-request')] } }, recorded)
  const messages = [{ role: 'tool', content: [part('tool-approval-response')] }]
  const id = 'svc.observation.metadata.approval_ids'
  expect([asking[id], start({ messages }, recorded)[id]]).toEqual(['["a-1"]', '["a-1"]'])
})

it('a request of the AI SDK 7 has its seed, its tool choice and the tier that it asks for', () => {
  const toolChoice = { type: 'tool', toolName: 'weather' }
  const providerOptions = { openai: { serviceTier: 'flex' } }
  expect(requestedFields({ seed: 7, toolChoice, providerOptions })).toEqual({
    'gen_ai.request.seed': 7,
    'gen_ai.request.tool_choice': '{"type":"tool","toolName":"weather"}',
    'gen_ai.request.service_tier': 'flex',
  })
  expect(requestedFields({ toolChoice: 'auto' })).toEqual({ 'gen_ai.request.tool_choice': 'auto' })
})

it('a transcription of the AI SDK 7 has its tokens and its cost as by the client of its vendor', () => {
  const recorded = { inputs: true, outputs: true, texts: new CallTexts() }
  const usage = { input_tokens: 40, output_tokens: 5, total_tokens: 45, input_token_details: { audio_tokens: 32 } }
  const providerMetadata = { gateway: { cost: '0.001' } }
  expect(
    operationOf('ai.transcribe').end({ text: 'Hi', segments: [], usage, providerMetadata }, recorded),
  ).toMatchObject({
    'svc.observation.usage_details': '{"input":8,"output":5,"input_audio_tokens":32,"total":45}',
    'svc.observation.cost_details': '{"total":0.001}',
  })
})
