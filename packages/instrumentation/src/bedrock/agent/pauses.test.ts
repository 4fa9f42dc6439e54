import { expect, it } from 'vitest'
import { Accumulator } from '../../gen-ai/accumulator.ts'
import { createAgentStream, readAgentRequest } from './agents.ts'
import { createFlowStream } from './flows.ts'

it('an agent that asks a person to confirm a call is interrupted', () => {
  const answers = ['USER_CONFIRMATION', 'RESULT'].map((actionInvocationType) => {
    const call = { function: 'delete', parameters: [{ name: 'id', value: '1' }], actionInvocationType }
    const accumulator = new Accumulator(createAgentStream())
    accumulator.add({ returnControl: { invocationId: 'i1', invocationInputs: [{ functionInvocationInput: call }] } })
    return accumulator.response
  })
  expect(answers.map(({ isInterrupted }) => isInterrupted)).toEqual([true, undefined])
  expect(answers[0]?.messages?.[0]?.parts).toEqual([
    { type: 'tool_call', id: 'i1', name: 'delete', arguments: { id: '1' } },
  ])
})

it("a person's answer to an agent is input", () => {
  const functionResult = { actionGroup: 'files', function: 'delete', confirmationState: 'DENY' }
  const sessionState = { invocationId: 'i1', returnControlInvocationResults: [{ functionResult }] }
  expect(readAgentRequest({ sessionState }).messages).toEqual([
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'i1', name: 'delete', response: 'DENY' }] },
  ])
})

it('a flow that asks for more input is interrupted', () => {
  const accumulator = new Accumulator(createFlowStream())
  accumulator.add({ flowMultiTurnInputRequestEvent: { nodeName: 'ask', content: { document: 'Where to?' } } })
  accumulator.add({ flowCompletionEvent: { completionReason: 'INPUT_REQUIRED' } })
  const { result, isInterrupted } = accumulator.response
  expect([result, isInterrupted]).toEqual(['Where to?', true])
})
