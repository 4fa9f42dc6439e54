import { expect, it } from 'vitest'
import { finishedSpans, recordSpans } from '../../test/spans.ts'
import { Accumulator } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import type { Fields } from '../gen-ai/read.ts'
import { wrappers } from './instrument.ts'
import { interactionStream } from './interaction-stream.ts'
import { readInteractionParameters, readInteractionRequest, readInteractionResponse } from './interactions.ts'

recordSpans()

function streamed(...events: readonly Fields[]): ResponseContent {
  const accumulator = new Accumulator(interactionStream)
  for (const event of events) accumulator.add(event)
  return accumulator.response
}

const start = (step: Fields) => ({ event_type: 'step.start', index: 0, step })
const delta = (delta: Fields, more: Fields = {}) => ({ event_type: 'step.delta', index: 0, delta, ...more })

it('an error in the middle of a stream keeps what was said and counted', () => {
  const metadata = { total_usage: { total_input_tokens: 10, total_output_tokens: 2 } }
  const { failure, messages, usage } = streamed(
    { event_type: 'interaction.created', interaction: { id: 'i1', model: 'gemini-test', status: 'in_progress' } },
    start({ type: 'model_output' }),
    delta({ type: 'text', text: 'Half' }),
    { event_type: 'interaction.status_update', interaction_id: 'i1', status: 'in_progress', metadata },
    { event_type: 'error', error: { code: 'internal', message: 'It broke.' } },
  )
  expect(failure).toEqual({ type: 'internal', message: 'It broke.' })
  expect(messages?.[0]?.parts).toEqual([{ type: 'text', content: 'Half' }])
  expect(usage).toMatchObject({ input: 10, output: 2 })
})

it('a state that a stream ends with is that of the interaction', () => {
  const { finishReasons, usage } = streamed({
    event_type: 'interaction.status_update',
    interaction_id: 'i1',
    status: 'budget_exceeded',
    usage: { total_input_tokens: 10 },
  })
  expect([finishReasons, usage?.input]).toEqual([['budget_exceeded'], 10])
})

it("sources, images and the vendor's own tools are read from streams, too", () => {
  const source = { type: 'url_citation', url: 'https://weather.test' }
  const answer = streamed(
    start({ type: 'model_output' }),
    delta({ type: 'text', text: 'Rain' }),
    delta({ type: 'text_annotation_delta', annotations: [source] }),
    delta({ type: 'image', data: 'AQ==', mime_type: 'image/png' }),
  )
  const content = [
    { type: 'text', text: 'Rain', annotations: [source] },
    { type: 'image', data: 'AQ==', mime_type: 'image/png' },
  ]
  for (const read of [answer, readInteractionResponse({ steps: [{ type: 'model_output', content }] })]) {
    expect(read.citations).toEqual([source])
    expect(read.messages?.[0]?.parts).toEqual([
      { type: 'text', content: 'Rain' },
      { type: 'blob', modality: 'image', mime_type: 'image/png' },
    ])
  }
  const search = streamed(
    start({ type: 'google_search_result', call_id: 's1' }),
    delta({ type: 'google_search_result', result: [{ search_suggestions: 'Paris' }] }),
  )
  expect(search.messages?.[0]?.parts).toEqual([
    { type: 'google_search_result', call_id: 's1', result: [{ search_suggestions: 'Paris' }] },
  ])
})

it('audio and searches are counted, which have prices of their own', () => {
  const usage = {
    total_input_tokens: 10,
    total_output_tokens: 8,
    input_tokens_by_modality: [{ modality: 'audio', tokens: 6 }],
    cached_tokens_by_modality: [{ modality: 'audio', tokens: 2 }],
    output_tokens_by_modality: [{ modality: 'text', tokens: 8 }],
    grounding_tool_count: [{ type: 'google_search', count: 3 }],
  }
  const { usage: read, served } = readInteractionResponse({ usage, service_tier: 'priority' })
  expect(read).toEqual({ input: 10, output: 8, inputAudio: 4, webSearches: 3 })
  expect(served).toEqual({ service_tier: 'priority' })
})

it('what a request names is in its metadata and its input', () => {
  const request = { input: 'Hi', cached_content: 'cachedContents/1', environment: 'env_1', service_tier: 'flex' }
  expect(readInteractionParameters(request)).toEqual({
    'gen_ai.request.service_tier': 'flex',
    'svc.observation.metadata.cached_content': '"cachedContents/1"',
    'svc.observation.metadata.environment_id': '"env_1"',
  })
  expect(readInteractionRequest(request).messages?.map(({ parts }) => parts[0]?.content)).toEqual([
    '[cached content cachedContents/1]',
    'Hi',
  ])
})

it('a later request that fails keeps what the first ones answered', async () => {
  const steps = [{ type: 'model_output', content: [{ type: 'text', text: 'Half' }] }]
  const usage = { total_input_tokens: 10, total_output_tokens: 2 }
  const failed = Object.assign(new Error('no'), { partialInteraction: { id: 'i1', steps, usage } })
  const create = wrappers.create?.(() => Promise.reject(failed))
  await expect(create?.call({}, { model: 'gemini-test', input: 'Hi' })).rejects.toBe(failed)
  const [span] = finishedSpans()
  expect(span?.status).toEqual({ code: 2, message: 'no' })
  expect(span?.attributes).toMatchObject({
    'svc.observation.output': '[{"role":"assistant","content":"Half"}]',
    'svc.observation.usage_details': '{"input":10,"output":2,"total":12}',
  })
})
