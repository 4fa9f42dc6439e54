import { describe, expect, it } from 'vitest'
import { withKnownCounts } from './usage.ts'

const named = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [`gen_ai.usage.${name}`, count]))
const known = (counts: Record<string, number>) => withKnownCounts(named(counts))

describe('token counts of other instrumentations', () => {
  it.each(['reasoning_tokens', 'output_tokens_details.reasoning', 'thoughts_token_count'])(
    'are a part of the output, by whatever name for reasoning: %s',
    (name) => {
      expect(known({ input_tokens: 20, output_tokens: 14, [name]: 4 })).toEqual(
        named({ input_tokens: 20, output_tokens: 14, 'reasoning.output_tokens': 4 }),
      )
    },
  )

  it.each([
    ['cached_input_tokens', 'cache_read.input_tokens'],
    ['prompt_tokens_details.cached_tokens', 'cache_read.input_tokens'],
    ['cache_write_tokens', 'cache_creation.input_tokens'],
  ])('are a part of the input, by whatever name for the cache: %s', (name, expected) => {
    expect(known({ input_tokens: 20, output_tokens: 14, [name]: 8, total_tokens: 34 })).toEqual(
      named({ input_tokens: 20, output_tokens: 14, [expected]: 8, total_tokens: 34 }),
    )
  })

  it('are parts that do not exceed the whole, if that is counted without them', () => {
    expect(known({ input_tokens: 5, output_tokens: 2, 'cache_read.input_tokens': 50 })).toEqual(
      named({ input_tokens: 55, output_tokens: 2, 'cache_read.input_tokens': 50 }),
    )
  })

  it('have a total without those that nobody knows', () => {
    expect(known({ input_tokens: 20, output_tokens: 14, input_audio_tokens: 6 })).toEqual(
      named({ input_tokens: 20, output_tokens: 14, input_audio_tokens: 6, total_tokens: 34 }),
    )
  })

  it('stay as they are under the names that the service knows', () => {
    const attributes = named({ input_tokens: 20, output_tokens: 14, 'cache_read.input_tokens': 8, cost: 0.1 })
    expect(withKnownCounts(attributes)).toBe(attributes)
  })
})
