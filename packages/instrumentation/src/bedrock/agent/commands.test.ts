import { expect, it } from 'vitest'
import type { Fields } from '../../gen-ai/read.ts'
import { describeAgentCommand } from './commands.ts'

/** A command, as its schema says. */
const command = (name: string, input: Fields) => describeAgentCommand({ schema: [9, '', name], input })

it('a session that begins with the request has its id in the answer', () => {
  const generate = command('RetrieveAndGenerate', { input: { text: 'Hi' } })
  expect(generate?.readResponse({ sessionId: 's1', output: { text: 'Hello' } }).conversation).toBe('s1')
  const flow = command('InvokeFlow', { flowIdentifier: 'f' })
  expect(flow?.findStream?.({ executionId: 'e1', responseStream: [] })).toEqual([])
  const accumulator = flow?.createAccumulator?.()
  accumulator?.add({ flowCompletionEvent: { completionReason: 'INPUT_REQUIRED' } })
  expect(accumulator?.response).toMatchObject({ conversation: 'e1', isInterrupted: true })
})

it('a session that a request names is that of the answer', () => {
  const generate = command('RetrieveAndGenerate', { input: { text: 'Hi' }, sessionId: 's1' })
  expect(generate?.readResponse({ sessionId: 'other', output: { text: 'Hello' } }).conversation).toBe('s1')
  expect(command('Retrieve', {})?.readResponse({ retrievalResults: [] }).conversation).toBeUndefined()
})

it.each([
  ['INTERVENED', ['guardrail_intervened']],
  ['NONE', []],
])('a guardrail of a knowledge base (%s) is its finish reason, whole and streamed', (action, finishReasons) => {
  const text = 'I may not say that.'
  const answer = { messages: [{ role: 'assistant', parts: [{ type: 'text', content: text }] }], finishReasons }
  const whole = command('RetrieveAndGenerate', {})?.readResponse({ output: { text }, guardrailAction: action })
  expect(whole).toMatchObject(answer)
  const streamed = command('RetrieveAndGenerateStream', {})?.createAccumulator?.()
  for (const piece of ['I may not ', 'say that.']) streamed?.add({ output: { text: piece } })
  streamed?.add({ guardrail: { action } })
  expect(streamed?.response).toMatchObject(answer)
})
