import { trace } from '@opentelemetry/api'
import { chunkTimesOf, keepChunkTimes } from '@svc/core/chunk-times'
import { expect, it } from 'vitest'
import { CallSpan } from './call.ts'

it.each([
  ['are kept', false, 2],
  ["are not kept below a framework's call, whose span has them", true, undefined],
])('the times of chunks %s', (_, isFrameworks, count) => {
  keepChunkTimes()
  const around = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }
  const span = Object.assign(trace.wrapSpanContext(around), { isRecording: () => true })
  const tracer = { startSpan: () => span }
  const call = new CallSpan({ scope: 'test', operation: 'chat', attributes: {}, tracer, isFrameworks })
  call.setAccumulator({ add: () => true, isComplete: false, response: {} })
  call.onChunk({})
  call.onChunk({})
  call.end()
  expect(chunkTimesOf(around)?.length).toBe(count)
})
