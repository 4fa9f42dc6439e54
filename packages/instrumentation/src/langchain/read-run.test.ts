import { expect, it } from 'vitest'
import { readToolResult } from './read-run.ts'

it('the output of a LangChain tool is a message for a tool call, and any value otherwise', () => {
  const message = { lc_serializable: true, _getType: () => 'tool', content: 'Sunny', tool_call_id: 'call_1' }
  expect(readToolResult(message)).toEqual({ result: 'Sunny', callId: 'call_1' })
  expect(['Sunny', { content: 'Sunny' }, undefined].map(readToolResult)).toEqual([
    { result: 'Sunny', callId: undefined },
    { result: { content: 'Sunny' }, callId: undefined },
    { result: undefined, callId: undefined },
  ])
})
