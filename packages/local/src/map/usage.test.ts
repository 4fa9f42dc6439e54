import { expect, it } from 'vitest'
import { usageOf } from './usage.ts'

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
  ['AI SDK', { 'ai.usage.inputTokens': 7, 'ai.usage.outputTokens': 3 }],
  ['stated', { 'svc.observation.usage_details': '{"input":7,"output":3}' }],
  ['OpenAI chat', { 'svc.observation.usage_details': '{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}' }],
  ['OpenAI responses', { 'svc.observation.usage_details': '{"input_tokens":7,"output_tokens":3}' }],
])('7 in and 3 out, spelled as %s', (_, attributes) => {
  expect(usageOf(attributes)).toEqual({ input: 7, output: 3, total: 10 })
})

it.each([
  ['cache_creation.input_tokens', 'input_cache_creation'],
  ['cache_write.input_tokens', 'input_cache_creation'],
  ['cache_creation_input_tokens', 'input_cache_creation'],
  ['cache_read_input_tokens', 'input_cached_tokens'],
  ['input_tokens.cached', 'input_cached_tokens'],
  ['details.cached_tokens', 'input_cached_tokens'],
])('gen_ai.usage.%s is %s', (spelling, name) => {
  const usage = usageOf({ 'gen_ai.usage.input_tokens': 10, [`gen_ai.usage.${spelling}`]: 4 })
  expect(usage).toEqual({ input: 6, [name]: 4, total: 10 })
})

it.each([
  ['reasoning.output_tokens', 'output_reasoning_tokens'],
  ['output_tokens.reasoning', 'output_reasoning_tokens'],
  ['details.reasoning_tokens', 'output_reasoning_tokens'],
  ['details.output_audio_tokens', 'output_audio_tokens'],
])('gen_ai.usage.%s is %s', (spelling, name) => {
  const usage = usageOf({ 'gen_ai.usage.output_tokens': 10, [`gen_ai.usage.${spelling}`]: 4 })
  expect(usage).toEqual({ output: 6, [name]: 4, total: 10 })
})

it('details of an OpenAI usage object are subtracted', () => {
  const said = {
    input_tokens: 9,
    output_tokens: 8,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens_details: { reasoning_tokens: 8 },
  }
  expect(usageOf({ 'svc.observation.usage_details': JSON.stringify(said) })).toEqual({
    input: 5,
    input_cached_tokens: 4,
    output: 0,
    output_reasoning_tokens: 8,
    total: 17,
  })
})

it('counts that an SDK states by the names of the service are taken as they are', () => {
  const said = { input: 10, input_cached_tokens: 4, total: 99, custom: 1 }
  expect(usageOf({ 'svc.observation.usage_details': JSON.stringify(said) })).toEqual(said)
})

it('where two spellings of one count disagree, the first one stays', () => {
  const said = { 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.prompt_tokens': 9 }
  expect(usageOf(said)).toEqual({ input: 7, total: 7 })
})

it('a part that is larger than its whole leaves nothing, not less than nothing', () => {
  const usage = usageOf({ 'gen_ai.usage.input_tokens': 1, 'gen_ai.usage.cache_read.input_tokens': 4 })
  expect(usage).toMatchObject({ input: 0, input_cached_tokens: 4 })
})

it('what is no count is left out', () => {
  expect(usageOf({ 'gen_ai.usage.input_tokens': 'many', 'gen_ai.usage.output_tokens': -1 })).toEqual({})
  expect(usageOf({ 'svc.observation.usage_details': 'nonsense' })).toEqual({})
})

it.each(['invoke_agent', 'agent_step'])('%s repeats what its model calls said, so it counts nothing', (operation) => {
  const stated = { 'gen_ai.operation.name': operation, 'gen_ai.usage.input_tokens': 5 }
  expect(usageOf(stated)).toEqual({})
})
