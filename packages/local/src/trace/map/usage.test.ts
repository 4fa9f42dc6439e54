import { describe, expect, it } from 'vitest'
import { span } from '../../../test/support/span.ts'
import type { Attributes } from '../../store/received.ts'
import { usageOf as usageOfSpan } from './usage.ts'

const usageOf = (attributes: Attributes, scope = 'my-tracer') => usageOfSpan(span({ scope, attributes }))

it('the parts of GenAI token counts are counted once', () => {
  const usage = usageOf({
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.output_tokens': 50,
    'gen_ai.usage.cache_read.input_tokens': 40,
    'gen_ai.usage.cache_creation.input_tokens': 10,
    'gen_ai.usage.reasoning.output_tokens': 30,
  })
  expect(usage).toEqual({
    input: 50,
    input_cached_tokens: 40,
    input_cache_creation: 10,
    output: 20,
    output_reasoning_tokens: 30,
    total: 150,
  })
})

it.each([
  ['older names', { 'gen_ai.usage.prompt_tokens': 7, 'gen_ai.usage.completion_tokens': 3 }],
  [
    'both at once',
    { 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.prompt_tokens': 7, 'gen_ai.usage.output_tokens': 3 },
  ],
  ['text', { 'gen_ai.usage.input_tokens': '7', 'gen_ai.usage.output_tokens': '3' }],
  ['OpenInference', { 'llm.token_count.prompt': 7, 'llm.token_count.completion': 3, 'llm.token_count.total': 10 }],
  ['stated', { 'svc.observation.usage_details': '{"input":7,"output":3}' }],
  ['OpenAI chat', { 'svc.observation.usage_details': '{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}' }],
  ['OpenAI responses', { 'svc.observation.usage_details': '{"input_tokens":7,"output_tokens":3,"total_tokens":10}' }],
])('7 input and 3 output tokens are read from %s', (_, attributes) => {
  expect(usageOf(attributes)).toEqual({ input: 7, output: 3, total: 10 })
})

it.each([
  ['cache_creation.input_tokens', 'input_cache_creation'],
  ['cache_creation_input_tokens', 'input_cache_creation'],
  ['cache_write_tokens', 'input_cache_creation'],
  ['cache_read.input_tokens', 'input_cached_tokens'],
  ['cache_read_input_tokens', 'input_cached_tokens'],
  ['input_cached_tokens', 'input_cached_tokens'],
])('the attribute gen_ai.usage.%s is read as %s', (names, name) => {
  const usage = usageOf({ 'gen_ai.usage.input_tokens': 10, [`gen_ai.usage.${names}`]: 4 })
  expect(usage).toEqual({ input: 6, [name]: 4, total: 10 })
})

it.each([
  ['reasoning.output_tokens', 'output_reasoning_tokens'],
  ['completion_details.reasoning', 'output_reasoning_tokens'],
  ['completion_details.audio', 'output_audio_tokens'],
])('the attribute gen_ai.usage.%s is read as %s', (names, name) => {
  const usage = usageOf({ 'gen_ai.usage.output_tokens': 10, [`gen_ai.usage.${names}`]: 4 })
  expect(usage).toEqual({ output: 6, [name]: 4, total: 10 })
})

it('an unknown token attribute is kept beside the count that includes it', () => {
  const attributes = { 'gen_ai.usage.output_tokens': 10, 'gen_ai.usage.reasoning_tokens': 4 }
  expect(usageOf(attributes)).toEqual({ output: 10, reasoning_tokens: 4, total: 14 })
})

describe('token counts in the scope `ai`', () => {
  const tokens = { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 8 }
  const usage = (attributes: Attributes) => usageOf({ ...tokens, ...attributes }, 'ai')

  it.each<[string, Attributes, object]>([
    ['nothing more', {}, { input: 10, output: 8, total: 18 }],
    [
      'its own names for parts',
      { 'ai.usage.cachedInputTokens': 4, 'ai.usage.reasoningTokens': 5 },
      { input: 6, input_cached_tokens: 4, output: 3, output_reasoning_tokens: 5, total: 18 },
    ],
    [
      'the names of the conventions, which are not read',
      { 'gen_ai.usage.cache_read.input_tokens': 4, 'gen_ai.usage.reasoning.output_tokens': 5 },
      { input: 10, output: 8, total: 18 },
    ],
    [
      'metadata of OpenAI',
      { 'ai.response.providerMetadata': '{"openai":{"cachedPromptTokens":4,"reasoningTokens":5}}' },
      { input: 6, input_cached_tokens: 4, output: 3, output_reasoning_tokens: 5, total: 18 },
    ],
    [
      'metadata of Anthropic',
      {
        'ai.response.providerMetadata':
          '{"anthropic":{"usage":{"cache_read_input_tokens":1,"cache_creation":{"ephemeral_5m_input_tokens":2,"ephemeral_1h_input_tokens":3}}}}',
      },
      {
        input: 4,
        input_cached_tokens: 1,
        input_cache_creation_5m: 2,
        input_cache_creation_1h: 3,
        output: 8,
        total: 18,
      },
    ],
    [
      'metadata that is no JSON',
      { 'ai.response.providerMetadata': '{', 'gen_ai.usage.cache_read.input_tokens': 4 },
      { input: 6, input_cached_tokens: 4, output: 8, total: 18 },
    ],
  ])('%s', (_, attributes, expected) => {
    expect(usage(attributes)).toEqual(expected)
  })

  it('are zero if a span has none', () => {
    expect(usageOf({}, 'ai')).toEqual({ input: 0, output: 0, total: 0 })
  })
})

it('details of an OpenAI usage object are subtracted from its totals', () => {
  const given = {
    input_tokens: 9,
    output_tokens: 8,
    total_tokens: 17,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens_details: { reasoning_tokens: 8 },
  }
  expect(usageOf({ 'svc.observation.usage_details': JSON.stringify(given) })).toEqual({
    input: 5,
    input_cached_tokens: 4,
    output: 0,
    output_reasoning_tokens: 8,
    total: 17,
  })
})

it('a usage object with a key unknown to OpenAI is used unchanged', () => {
  const usage = { input_tokens: 9, output_tokens: 8, total_tokens: 17, cost: 1 }
  expect(usageOf({ 'svc.observation.usage_details': JSON.stringify(usage) })).toEqual({ ...usage, total: 35 })
})

it.each([
  ['{}', {}],
  ['[]', {}],
  ['5', {}],
  ['no JSON', { input: 7, total: 7 }],
])('token counts are read from usage details of %s', (stated, expected) => {
  expect(usageOf({ 'svc.observation.usage_details': stated, 'gen_ai.usage.input_tokens': 7 })).toEqual(expected)
})

it("token counts under the service's own names are used unchanged", () => {
  const given = { input: 10, input_cached_tokens: 4, total: 99, custom: 1 }
  expect(usageOf({ 'svc.observation.usage_details': JSON.stringify(given) })).toEqual(given)
})

it('if two names of one count disagree, the older one is used', () => {
  const given = { 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.prompt_tokens': 9 }
  expect(usageOf(given)).toEqual({ input: 9, total: 9 })
})

it('a token detail larger than its total leaves zero, never a negative count', () => {
  const usage = usageOf({ 'gen_ai.usage.input_tokens': 1, 'gen_ai.usage.cache_read.input_tokens': 4 })
  expect(usage).toMatchObject({ input: 0, input_cached_tokens: 4 })
})

it('invalid token counts are omitted', () => {
  expect(usageOf({ 'gen_ai.usage.input_tokens': 'many', 'gen_ai.usage.output_tokens': -1 })).toEqual({})
  expect(usageOf({ 'svc.observation.usage_details': 'nonsense' })).toEqual({})
})

it.each(['invoke_agent', 'agent_step'])(
  'the usage of %s is ignored, because its model calls report the same tokens',
  (operation) => {
    const stated = { 'gen_ai.operation.name': operation, 'gen_ai.usage.input_tokens': 5 }
    expect(usageOf(stated)).toEqual({})
  },
)
