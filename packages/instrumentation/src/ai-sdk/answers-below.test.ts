import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { configure } from '../gen-ai/configure.ts'
import { answeringTracer } from '../record/answer-taker.ts'
import { followBelow } from '../wire/answer-below.ts'
import { findApi } from '../wire/apis.ts'
import { openSpanOf } from './open-span.ts'
import { belowModel } from './part.ts'
import { tracked } from './tracked.ts'

recordSpans()
beforeEach(forgetSpans)
afterEach(() => configure({}))

const path = '/v1/chat/completions'
const api = findApi(path)
const header = () => undefined
const usage = { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6, cost: 0.5 }
const answer = (id: string, more: object = {}) => ({
  id,
  model: 'm-2026',
  choices: [{ message: { role: 'assistant', content: `Hi from ${id}.`, reasoning: 'Hm.' }, finish_reason: 'stop' }],
  citations: ['https://a.test'],
  usage,
  ...more,
})

/** Follows a request below the span of a model, as the preload does. */
function request(span: Span) {
  const open = openSpanOf(span)
  return context.with(belowModel(context.active(), open), () => api && followBelow(context.active(), api, path))
}

/** A request of the SDK to a model, below which `act` sends others. */
function step(
  recorded: object,
  act: (send: (status: number, body?: unknown) => void, span: Span) => void,
  options = {},
) {
  const tracer = tracked(trace.getTracer('ai'), { dialect: 'ai', ...options })
  const call = tracer.startSpan('ai.generateText')
  const span = tracer.startSpan('ai.generateText.doGenerate', {}, trace.setSpan(context.active(), call))
  act((status, body) => {
    const follower = request(span)
    follower?.responded(status, header)
    follower?.receive(JSON.stringify(body))
    follower?.done()
  }, span)
  span.setAttributes({ 'gen_ai.request.model': 'm', ...recorded })
  span.end()
  call.end()
  const { attributes = {} } = finishedSpans()[0] ?? {}
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name.replace('svc.observation.', ''), value]),
  )
}

it('an error beside an answer, which the SDK drops, is that of the model', () => {
  const recorded = { 'gen_ai.response.id': 'one', 'gen_ai.response.finish_reasons': ['other'] }
  const error = { code: 502, message: 'Provider disconnected' }
  const choices = [{ message: { role: 'assistant', content: 'Hal' }, finish_reason: 'error', error }]
  const failed = { 'error.type': '502', level: 'ERROR', status_message: 'Provider disconnected' }
  const retried = (send: (status: number, body?: unknown) => void) => {
    send(200, answer('one', { choices }))
    send(200, answer('two'))
  }
  expect(step(recorded, retried)).toMatchObject({ ...failed, 'gen_ai.response.finish_reasons': ['error'] })
  forgetSpans()
  expect(step({ 'gen_ai.response.id': 'two' }, retried)).not.toHaveProperty('level')
})

it('only the level of a failure is added, as also the client of a vendor reports it', () => {
  const call = (status: object) => {
    forgetSpans()
    return step({ 'gen_ai.response.id': 'one' }, (_, span) => {
      context.with(belowModel(context.active(), openSpanOf(span)), () => {
        const client = answeringTracer(context.active())?.startSpan('chat')
        client?.setAttribute('gen_ai.response.id', 'one')
        for (const [name, value] of Object.entries(status)) client?.setAttribute(name, value)
        if ('error.type' in status) client?.setStatus({ code: SpanStatusCode.ERROR, message: 'It broke.' })
      })
    })
  }
  const left = { 'svc.observation.level': 'WARNING', 'svc.observation.status_message': 'the caller stopped reading' }
  expect(call(left)).not.toHaveProperty('level')
  expect(call({ 'error.type': '502' })).toMatchObject({
    ...{ 'error.type': '502', level: 'ERROR', status_message: 'It broke.' },
  })
})

it('the tier that was served replaces the one that was requested', () => {
  const recorded = { 'gen_ai.response.id': 'one', 'gen_ai.request.service_tier': 'priority' }
  const served = step(recorded, (send) => send(200, answer('one', { service_tier: 'default' })))
  expect(served).toMatchObject({ 'gen_ai.request.service_tier': 'default' })
})

it('what the SDK leaves out of an answer is added, and what it says stays', () => {
  const recorded = {
    'ai.response.text': 'Hello.',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.response.id': 'one',
  }
  const answered = { usage_details: '{"input":4,"output":2,"total":6}', cost_details: '{"total":0.5}' }
  expect(step(recorded, (send) => send(200, answer('one', { service_tier: 'flex' })))).toEqual({
    ...recorded,
    ...answered,
    'gen_ai.request.model': 'm',
    'gen_ai.request.service_tier': 'flex',
    'gen_ai.response.model': 'm-2026',
    'ai.response.reasoning': 'Hm.',
    'metadata.citations': '["https://a.test"]',
  })
  forgetSpans()
  const cost = { cost_details: '{"total":0.7}' }
  expect(step({ 'svc.observation.cost_details': cost.cost_details }, (send) => send(200, answer('one')))).toMatchObject(
    cost,
  )
})

it('of several answers the one counts that the SDK names, and else the last that was one', () => {
  const ask = (send: (status: number, body?: unknown) => void) => {
    send(200, answer('one'))
    send(200, answer('two'))
    send(500, answer('three'))
  }
  const textOf = (id?: string) => {
    forgetSpans()
    return step({ 'gen_ai.response.id': id }, ask)['ai.response.text']
  }
  expect(['one', undefined, 'aitxt-1', 'four'].map(textOf)).toEqual([
    'Hi from one.',
    'Hi from two.',
    'Hi from two.',
    undefined,
  ])
})

it('a step that ends before its answer has arrived has what came, and nothing is kept of the rest', () => {
  const chunk = (content: string) =>
    `data: ${JSON.stringify({ id: 'one', model: 'm-2026', choices: [{ delta: { content } }], usage })}\n\n`
  let late: ReturnType<typeof request>
  const recorded = step({}, (_, span) => {
    late = request(span)
    late?.responded(200, header)
    late?.receive(chunk('Hi'))
  })
  late?.receive(chunk(' you'))
  late?.done()
  expect(recorded).toMatchObject({ 'ai.response.text': 'Hi', usage_details: '{"input":4,"output":2,"total":6}' })
  expect(finishedSpans()).toHaveLength(2)
})

it.each([
  ['by the process', { captureContent: false }, {}],
  ['by the call', {}, { recordsOutput: false }],
])('where no content is recorded %s, its figures are', (_, options, call) => {
  configure(options)
  const recorded = step({}, (send) => send(200, answer('one')), call)
  expect(Object.keys(recorded).sort()).toEqual([
    'cost_details',
    'gen_ai.request.model',
    'gen_ai.response.finish_reasons',
    'gen_ai.response.id',
    'gen_ai.response.model',
    'usage_details',
  ])
})
