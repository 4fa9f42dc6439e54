import { expect, it } from 'vitest'
import { chat as openrouter } from '../openrouter/readers.ts'
import { embeddings } from './embeddings.ts'
import { images } from './images.ts'
import { speech } from './speech.ts'
import { transcriptions } from './transcriptions.ts'
import { readOpenAiUsage } from './usage.ts'

it("a transcription has the tokens of audio that OpenAI's price depends on", () => {
  const usage = {
    type: 'tokens',
    input_tokens: 40,
    output_tokens: 5,
    total_tokens: 45,
    input_token_details: { text_tokens: 8, audio_tokens: 32 },
  }
  const expected = { input: 40, output: 5, inputAudio: 32 }
  expect(transcriptions.readResponse({ text: 'Hi', usage }).usage).toEqual(expected)
  const events = transcriptions.createAccumulator()
  events.add({ type: 'transcript.text.done', text: 'Hi', usage })
  expect(events.response.usage).toEqual(expected)
})

it('audio that was cached is among the cached tokens only', () => {
  const input_token_details = { cached_tokens: 500, audio_tokens: 600, cached_tokens_details: { audio_tokens: 400 } }
  expect(readOpenAiUsage({ input_tokens: 1_000, output_tokens: 1, input_token_details })).toEqual({
    ...{ input: 1_000, output: 1, cacheRead: 500, inputAudio: 200 },
  })
})

it("LiteLLM has what was written to Anthropic's cache by its lifetime, on which the price depends", () => {
  const cache_creation_token_details = { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 10 }
  const prompt_tokens_details = { cached_tokens: 6, cache_creation_tokens: 14, cache_creation_token_details }
  expect(readOpenAiUsage({ prompt_tokens: 40, completion_tokens: 2, prompt_tokens_details })).toEqual({
    ...{ input: 40, output: 2, cacheRead: 6, cacheWrite: 14, cacheWrite5m: 4, cacheWrite1h: 10 },
  })
})

it('embeddings have the total where it is all that is counted, as by Voyage', () => {
  expect(embeddings.readResponse({ usage: { total_tokens: 10 } }).usage).toEqual({ input: 10 })
  expect(embeddings.readResponse({ usage: { prompt_tokens: 8, total_tokens: 10 } }).usage).toEqual({ input: 8 })
})

it('streamed speech has its tokens, and its first sound', () => {
  const events = speech.createAccumulator()
  expect(events.add({ type: 'speech.audio.delta', audio: 'AAAA' })).toBe(true)
  events.add({ type: 'speech.audio.done', usage: { input_tokens: 4, output_tokens: 90, total_tokens: 94 } })
  expect(events.isComplete).toBe(true)
  expect(events.response.usage).toEqual({ input: 4, output: 90 })
})

it('images and transcriptions have the cost that their vendor reports', () => {
  const usage = { cost_in_usd_ticks: 200_000_000 }
  expect(images.readResponse({ usage }).cost).toBe(0.02)
  const events = images.createAccumulator()
  events.add({ type: 'image_generation.completed', usage })
  expect(events.response.cost).toBe(0.02)
  expect(transcriptions.readResponse({ text: 'Hi', usage: { seconds: 4, cost: 0.001 } }).cost).toBe(0.001)
})

it("embeddings and images have the cost that Vercel's gateway reports beside them", () => {
  const providerMetadata = { gateway: { cost: '0.00000012' } }
  expect(embeddings.readResponse({ usage: { prompt_tokens: 6, total_tokens: 6 }, providerMetadata }).cost).toBe(1.2e-7)
  expect(images.readResponse({ data: [], providerMetadata }).cost).toBe(1.2e-7)
})

it('the searches that @openrouter/sdk reports are counted', () => {
  const usage = { promptTokens: 4, completionTokens: 2, serverToolUseDetails: { webSearchRequests: 3 } }
  expect(openrouter.readResponse({ choices: [], usage }).usage).toEqual({ input: 4, output: 2, webSearches: 3 })
})
