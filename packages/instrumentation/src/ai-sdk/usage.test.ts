import { expect, it } from 'vitest'
import { providerUsage } from './usage.ts'

const nested = (levels: number): unknown => (levels === 0 ? 7 : { level: nested(levels - 1) })

it('the usage of a provider is recorded under snake-case names', () => {
  expect(providerUsage({ audioSeconds: 1.5, details: { textTokens: 3 }, list: [1], text: 'x' })).toEqual({
    'gen_ai.usage.audio_seconds': 1.5,
    'gen_ai.usage.details.text_tokens': 3,
  })
})

it('the usage of a provider is recorded to a depth of 8', () => {
  expect(Object.values(providerUsage(nested(8)))).toEqual([7])
  expect(providerUsage(nested(9))).toEqual({})
})
