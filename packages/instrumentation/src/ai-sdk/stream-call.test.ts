import { expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { runtime } from './runtime.ts'

recordSpans()

it('a single call has the cost, the tier, the kinds of tokens and the sources of its answer', async () => {
  const source = { type: 'source', sourceType: 'url', id: 's', url: 'https://weather.test/paris' }
  const usage = {
    inputTokens: { total: 40 },
    outputTokens: { total: 5 },
    raw: { prompt_tokens: 40, completion_tokens: 5, prompt_tokens_details: { audio_tokens: 32 }, cost: 0.001 },
  }
  const stream = ReadableStream.from([
    { type: 'response-metadata', id: 'chatcmpl-1', modelId: 'm-1' },
    { type: 'text-delta', id: '1', delta: 'Sunny.' },
    source,
    { type: 'finish', usage, finishReason: { unified: 'stop' }, providerMetadata: { openai: { serviceTier: 'flex' } } },
  ])
  const model = { provider: 'openai.chat', modelId: 'm', doStream: async () => ({ stream }) }
  forgetSpans()
  const answer = (await runtime.model(model as never, undefined, false, true).doStream({ prompt: [] })) as {
    stream: ReadableStream
  }
  for await (const _ of answer.stream);
  const [{ attributes } = {}] = finishedSpans()
  expect(attributes).toMatchObject({
    'svc.observation.output': '[{"role":"assistant","content":"Sunny."}]',
    'svc.observation.cost_details': '{"total":0.001}',
    'svc.observation.usage_details': '{"input":8,"output":5,"input_audio_tokens":32,"total":45}',
    'svc.observation.model.parameters': '{"stream":true,"service_tier":"flex"}',
    'svc.observation.metadata.citations': JSON.stringify([source]),
  })
})
