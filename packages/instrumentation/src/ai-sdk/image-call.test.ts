import { expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { generateImage } from './image-call.ts'

recordSpans()

it.each([
  ['xAI', { xai: { images: [], costInUsdTicks: 200_000_000 } }],
  ["Vercel's gateway", { gateway: { cost: '0.02' } }],
])('a call for images has the cost that %s reports', async (_, providerMetadata) => {
  const response = { modelId: 'm-1' }
  const model = { provider: 'p', modelId: 'm', doGenerate: async () => ({ images: [], response, providerMetadata }) }
  forgetSpans()
  await generateImage(model as never, { prompt: 'a cat', n: 1 })
  const [{ attributes } = {}] = finishedSpans()
  expect(attributes?.['svc.observation.cost_details']).toBe('{"total":0.02}')
})
