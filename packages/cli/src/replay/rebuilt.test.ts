import { expect, it } from 'vitest'
import type { RecordedObservation } from '../traces/trace-file.ts'
import { findDialect, isAnswerOf } from './find-dialect.ts'
import { callsOf } from './recording.ts'

const CHAT = '/v1/chat/completions'
const RESPONSES = '/v1/responses'
const MESSAGES = '/v1/messages'

/** The answer that is rebuilt from what a trace has of a call. */
function rebuilt(path: string, recorded: object, request = {}) {
  const observation = { id: 'o', traceId: 't', parentObservationId: null, startTime: '2026-01-01', type: 'GENERATION' }
  const [call] = callsOf([{ ...observation, ...recorded } as RecordedObservation])
  const dialect = findDialect(path)
  if (!call?.answer || !dialect) throw new Error('no answer')
  return {
    whole: dialect.whole(call.answer, request),
    stream: dialect.stream(call.answer, request),
    answer: call.answer,
  }
}

const message = (content: string) => ({ role: 'assistant', content })
const attributed = (attributes: object) => ({ metadata: { attributes } })

it('each of several choices has its own reason', () => {
  const reasons = attributed({ 'gen_ai.response.finish_reasons': ['stop', 'length'] })
  const { whole } = rebuilt(CHAT, { output: [message('one'), message('two')], ...reasons })
  expect(whole).toMatchObject({ choices: [{ finish_reason: 'stop' }, { index: 1, finish_reason: 'length' }] })
})

it('tokens come in a chunk of their own where they were asked for, else with the last one', () => {
  const recorded = { output: [message('one')], usageDetails: { input: 2, output: 1 } }
  const usageOf = (request: object) =>
    rebuilt(CHAT, recorded, request).stream.flatMap((event, at) => (event.includes('"usage"') ? [at] : []))
  expect([usageOf({}), usageOf({ stream_options: { include_usage: true } })]).toEqual([[2], [3]])
})

it('tokens that were written to a cache are counted apart, with the tier', () => {
  const usageDetails = { input: 5, input_cached_tokens: 2, input_cache_creation: 3, output: 1 }
  const recorded = { output: [message('one')], usageDetails, modelParameters: { service_tier: 'standard' } }
  const usage = {
    input_tokens: 5,
    cache_read_input_tokens: 2,
    cache_creation_input_tokens: 3,
    service_tier: 'standard',
  }
  expect(rebuilt(MESSAGES, recorded).whole).toMatchObject({ usage })
})

it('a response says again what it was asked with', () => {
  const asked = { instructions: 'Be brief.', reasoning: { effort: 'low' }, tools: [{ type: 'web_search' }] }
  const { whole, stream } = rebuilt(RESPONSES, { output: [message('one')] }, asked)
  expect(whole).toMatchObject({ ...asked, reasoning: { effort: 'low', summary: null }, temperature: 1 })
  expect(stream[0]).toContain('"instructions":"Be brief."')
})

it('an answer of the one API of OpenAI is none of the other, which is asked the same', () => {
  const { answer } = rebuilt(RESPONSES, { output: [message('one')], ...attributed({ 'gen_ai.response.id': 'resp_1' }) })
  expect([RESPONSES, CHAT].map((path) => isAnswerOf(findDialect(path), answer))).toEqual([true, false])
})
