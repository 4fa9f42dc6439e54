import { updateActiveObservation } from '@svc/tracing'
import { beforeEach, describe, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import type { ResponseContent, Usage } from '../gen-ai/content.ts'
import { usageDetails } from '../gen-ai/usage.ts'
import { CallSpan } from './call.ts'
import { requestContentAttributes } from './write.ts'

recordSpans()
beforeEach(forgetSpans)

const attributes = () => finishedSpans()[0]?.attributes ?? {}

function tool(work: () => void): void {
  const call = new CallSpan({ scope: 's', operation: 'execute_tool', tool: 'weather', attributes: {} })
  call.setRequest(undefined, requestContentAttributes({ input: { city: 'Paris' } }))
  call.run(work)
  call.endWithResponse({ result: 'sunny' })
}

describe('an attribute that the application sets on an observation', () => {
  it.each([
    [{ input: 'mine' }, { 'svc.observation.input': 'mine', 'svc.observation.output': 'sunny' }],
    [{ output: 'mine' }, { 'svc.observation.input': '{"city":"Paris"}', 'svc.observation.output': 'mine' }],
    [{ statusMessage: 'mine' }, { 'svc.observation.status_message': 'mine', 'svc.observation.output': 'sunny' }],
  ])('is kept and hides no other attribute: %j', (set, expected) => {
    tool(() => updateActiveObservation(set))
    expect(attributes()).toMatchObject(expected)
  })

  it('is kept field by field in a model call', () => {
    const call = new CallSpan({
      scope: 's',
      operation: 'chat',
      model: 'm',
      attributes: { 'gen_ai.request.temperature': 0, 'gen_ai.request.service_tier': 'auto' },
    })
    const set = { model: 'mine', usageDetails: { input: 1 }, costDetails: { total: 2 } }
    call.run(() => updateActiveObservation(set, { asType: 'generation' }))
    call.endWithResponse({ model: 'm-1', usage: { input: 5, output: 6 }, cost: 7, served: { service_tier: 'flex' } })
    expect(attributes()).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'm',
      'svc.observation.type': 'generation',
      'svc.observation.model.name': 'mine',
      'svc.observation.model.parameters': '{"temperature":0,"service_tier":"flex"}',
      'svc.observation.usage_details': '{"input":1}',
      'svc.observation.cost_details': '{"total":2}',
    })
  })
})

it('a response with unreadable fields is written as far as possible', () => {
  const call = new CallSpan({ scope: 's', operation: 'chat', attributes: {} })
  const answer: ResponseContent = { finishReasons: [], messages: [{ role: 'assistant', parts: [] }] }
  call.endWithResponse(answer)
  expect(attributes()).toEqual({
    'gen_ai.operation.name': 'chat',
    'svc.observation.output': '[{"role":"assistant","content":""}]',
  })
})

describe('recorded token counts', () => {
  it.each<[what: string, usage: Usage, model: string | undefined, counts: Record<string, number> | undefined]>([
    ['nothing', { input: undefined, output: undefined }, undefined, undefined],
    ['the sums', { input: 3, output: 4 }, undefined, { input: 3, output: 4, total: 7 }],
    [
      'kinds, each once',
      { input: 10, output: 9, cacheRead: 3, cacheWrite: 2, reasoning: 4, inputAudio: 1, outputAudio: 2 },
      'gpt-5',
      {
        input: 4,
        output: 3,
        input_cached_tokens: 3,
        input_cache_creation: 2,
        input_audio_tokens: 1,
        output_reasoning_tokens: 4,
        output_audio_tokens: 2,
        total: 19,
      },
    ],
    [
      'cache writes by how long they are kept',
      { input: 10, output: 1, cacheWrite: 6, cacheWrite5m: 4, cacheWrite1h: 2 },
      'claude-sonnet-4-5',
      { input: 4, output: 1, input_cache_creation_5m: 4, input_cache_creation_1h: 2, total: 11 },
    ],
    [
      'thoughts of a model without a price for them as output',
      { input: 1, output: 9, reasoning: 4 },
      'anthropic/claude-opus-4-5',
      { input: 1, output: 9, total: 10 },
    ],
    [
      'predictions, which are priced as output, and searches',
      { input: 1, output: 9, acceptedPrediction: 2, rejectedPrediction: 3, webSearches: 1 },
      'gpt-4o',
      {
        input: 1,
        output: 9,
        accepted_prediction_tokens: 2,
        rejected_prediction_tokens: 3,
        web_search_requests: 1,
        total: 10,
      },
    ],
    [
      'what is both cached and audio as cached',
      { input: 40, output: 1, cacheRead: 32, inputAudio: 30 },
      'gpt-4o-audio-preview',
      { input: 0, output: 1, input_cached_tokens: 32, input_audio_tokens: 8, total: 41 },
    ],
    [
      'no more of a kind than there is',
      { input: 1, output: 0.4, cacheRead: 3 },
      undefined,
      { input: 0, output: 0, input_cached_tokens: 3, total: 1 },
    ],
  ])('are %s', (_, usage, model, counts) => {
    expect(usageDetails(usage, model)).toEqual(counts)
  })
})

describe('a call of a model that ends without an answer', () => {
  const FREE = '{"input":0,"output":0,"total":0}'
  const begun = () => {
    const call = new CallSpan({ scope: 's', operation: 'chat', model: 'm', attributes: {} })
    call.setRequest(undefined, requestContentAttributes({ messages: [{ role: 'user', parts: [] }] }))
    return call
  }
  const cost = () => attributes()['svc.observation.cost_details']

  it('costs nothing if it failed or was cancelled', () => {
    begun().fail(new Error('down'))
    expect(cost()).toBe(FREE)
    forgetSpans()
    begun().end('cancelled')
    expect(cost()).toBe(FREE)
  })

  it('may have a price if it was answered in part, or may have been answered', () => {
    begun().fail(new Error('down'), false, { usage: { input: 1, output: 1 } })
    expect(cost()).toBeUndefined()
    forgetSpans()
    begun().end('abandoned')
    expect(cost()).toBeUndefined()
  })

  it('is no model without a price if it is a tool', () => {
    new CallSpan({ scope: 's', operation: 'execute_tool', tool: 'weather', attributes: {} }).fail(new Error('down'))
    expect(cost()).toBeUndefined()
  })
})
