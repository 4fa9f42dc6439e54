import { ROOT_CONTEXT } from '@opentelemetry/api'
import { beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { SessionTools } from './tools.ts'

recordSpans()
beforeEach(forgetSpans)

it('at most 128 tool calls of a realtime session wait for their result', () => {
  const tools = new SessionTools('test', ROOT_CONTEXT)
  const calls = Array.from({ length: 129 }, (_, at) => ({ call_id: `c${at}`, name: `tool ${at}` }))
  for (const call of calls) tools.startCall(call)
  for (const call of calls) tools.endCall({ ...call, output: 'done' })
  expect(finishedSpans()).toHaveLength(128)
})
