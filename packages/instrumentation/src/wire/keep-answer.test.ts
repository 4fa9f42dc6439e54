import { context, trace } from '@opentelemetry/api'
import { RAW_ANSWERS } from '@svc/core/attributes'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { configure } from '../gen-ai/configure.ts'
import { CallSpan } from '../record/call.ts'
import { suppressCalls } from '../record/suppress.ts'
import { keepAnswer } from './keep-answer.ts'

recordSpans()
beforeEach(forgetSpans)
afterEach(() => configure({}))

const call = () => new CallSpan({ scope: '@svc/instrumentation-test', operation: 'chat', attributes: {} })
const keep = () => keepAnswer(context.active(), 'chat')
const header = (name: string) => ({ 'content-type': 'text/plain', 'set-cookie': 'secret' })[name]
const kept = (): unknown => {
  const { [RAW_ANSWERS]: answers } = finishedSpans()[0]?.attributes ?? {}
  return Array.isArray(answers) ? answers.map((each) => JSON.parse(String(each))) : answers
}
const headers = { 'content-type': 'text/plain' }

it('each request of a call has its answer, by the reads of its connection', async () => {
  const span = call()
  const [first, second] = span.run(() => [keep(), keep()])
  first?.responded(500, header)
  first?.failed(Object.assign(new Error('lost'), { code: 'ECONNRESET' }))
  second?.responded(103, header)
  second?.responded(200, header)
  second?.receive('a')
  second?.receive('b')
  await Promise.resolve()
  second?.receive(Buffer.from('ß').subarray(0, 1))
  // What comes after the call is not waited for.
  span.end()
  second?.receive('c')
  expect(kept()).toEqual([
    { status: 500, headers, encoding: 'utf8', reads: [], isBroken: true },
    { status: 200, headers, encoding: 'base64', reads: [['YQ==', 'Yg=='], ['ww==']] },
  ])
})

it('of a call, all answers together are no longer than content may be', () => {
  configure({ contentMaxBytes: 200 })
  const span = call()
  for (const length of [10, 100]) {
    const answer = span.run(keep)
    answer?.responded(200, header)
    answer?.receive('x'.repeat(length))
    answer?.done()
  }
  span.end()
  expect(kept()).toBeUndefined()
})

it('the span of a framework that records the call has it, once it has ended', () => {
  const span = trace.getTracer('framework').startSpan('chat')
  const answer = context.with(suppressCalls(trace.setSpan(context.active(), span)), keep)
  answer?.responded(200, header)
  answer?.receive('a')
  answer?.done()
  span.end()
  expect(kept()).toEqual([{ status: 200, headers, encoding: 'utf8', reads: [['a']] }])
})

it.each([
  ['below no call', {}, keep],
  ['where no content is recorded', { captureContent: false }, () => call().run(keep)],
])('none is kept %s', (_, options, act) => {
  configure(options)
  expect(act()).toBeUndefined()
})
