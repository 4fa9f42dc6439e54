import { context } from '@opentelemetry/api'
import { beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { isBelowCall, isVendorBound } from '../record/current.ts'
import { runtime } from './runtime.ts'

recordSpans()
beforeEach(forgetSpans)

const recorded = () =>
  finishedSpans().map(({ name, attributes }) => ({
    name,
    ...Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key.replace('svc.observation.', ''), value]),
    ),
  }))

/** Calls a model as the edited SDK does. @param callId of version 7 */
const generate = (result: object, options: object, more: object = {}, callId?: string) =>
  runtime
    .model({ provider: 'openai.x', modelId: 'm', doGenerate: async () => result, ...more } as never, callId, false)
    .doGenerate(options)

it.each([
  ['xAI', { xai: { images: [], costInUsdTicks: 200_000_000 } }],
  ["Vercel's gateway", { gateway: { cost: '0.02' } }],
])('a call for images has the cost that %s reports', async (_, providerMetadata) => {
  const response = { modelId: 'm-1' }
  await generate({ images: [], response, providerMetadata }, { prompt: 'a cat', n: 2 }, { maxImagesPerCall: 1 })
  expect(recorded()).toEqual([
    expect.objectContaining({
      name: 'generate_content m',
      'gen_ai.provider.name': 'openai',
      'gen_ai.output.type': 'image',
      'model.name': 'm-1',
      'model.parameters': '{"choice.count":2}',
      input: '{"messages":[{"role":"user","content":"a cat"}]}',
      cost_details: '{"total":0.02}',
    }),
  ])
})

it('a transcription of version 5 or 6, of which its telemetry says nothing, has its text and its tokens', async () => {
  const usage = { input_tokens: 9, output_tokens: 2, total_tokens: 11, input_token_details: { audio_tokens: 9 } }
  await generate(
    { text: 'Hi', response: { modelId: 'm-1', body: { text: 'Hi', usage } } },
    { audio: new Uint8Array(4) },
  )
  expect(recorded()).toEqual([
    expect.objectContaining({
      'gen_ai.output.type': 'text',
      input: expect.stringContaining('[audio]'),
      output: '[{"role":"assistant","content":"Hi"}]',
      usage_details: '{"input":0,"output":2,"input_audio_tokens":9,"total":11}',
    }),
  ])
})

it('speech of version 5 or 6 has what is spoken, and its error', async () => {
  const doGenerate = async () => {
    throw new Error('no voice')
  }
  const spoken = generate({}, { text: 'Hi', instructions: 'Softly.' }, { doGenerate }) as Promise<unknown>
  await expect(spoken).rejects.toThrow('no voice')
  expect(recorded()).toEqual([
    expect.objectContaining({
      'gen_ai.output.type': 'speech',
      'error.type': 'Error',
      input: expect.stringContaining('"content":"Hi"'),
    }),
  ])
})

it('the client of a vendor makes no second span, and version 7 reports speech and transcriptions itself', async () => {
  const seen: boolean[] = []
  const doGenerate = async () => {
    seen.push(isBelowCall(context.active(), 'generate_content'), isVendorBound(context.active()))
    return {}
  }
  await generate({}, { text: 'Hi' }, { doGenerate })
  await generate({}, { text: 'Hi' }, { doGenerate }, 'call_1')
  expect(seen).toEqual([true, true, true, true])
  expect(recorded()).toHaveLength(1)
})
