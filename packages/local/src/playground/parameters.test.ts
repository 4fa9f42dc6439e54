import { describe, expect, it } from 'vitest'
import { anthropicParameters, decodeParameters, openaiParameters } from './parameters.ts'

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } }
const NESTED = { type: 'json_schema', json_schema: { name: 'place', schema: SCHEMA, strict: true } }

/** As spans have them: all but text and numbers as JSON text. */
const recorded = (parameters: object) =>
  decodeParameters(
    Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [
        name,
        typeof value === 'object' || typeof value === 'boolean' ? JSON.stringify(value) : value,
      ]),
    ),
  )

it('recorded parameters have their numbers as they were sent', () => {
  expect(JSON.stringify(decodeParameters({ logit_bias: '{"50256":-1.0}' }))).toBe('{"logit_bias":{"50256":-1.0}}')
})

describe('recorded parameters of a call are asked again', () => {
  const tools = { tool_choice: { type: 'function', name: 'find' }, parallel_tool_calls: false }
  it.each([
    ['chat completions', { response_format: NESTED, temperature: 0.5 }, { response_format: NESTED, temperature: 0.5 }],
    [
      'responses',
      {
        response_format: { type: 'json_schema', name: 'place', schema: SCHEMA, strict: true },
        'reasoning.level': 'low',
      },
      { response_format: NESTED, reasoning_effort: 'low' },
    ],
    [
      'JSON without a schema',
      { response_format: { type: 'json_object' } },
      { response_format: { type: 'json_object' } },
    ],
    [
      'messages of Anthropic',
      {
        response_format: { type: 'json_schema', schema: SCHEMA },
        stop_sequences: ['x'],
        thinking: { type: 'enabled' },
      },
      { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA } }, stop: ['x'] },
    ],
    [
      'tools',
      { ...tools, stream: true },
      { tool_choice: { type: 'function', function: { name: 'find' } }, parallel_tool_calls: false },
    ],
    [
      'the AI SDK',
      { maxTokens: 9, toolChoice: { type: 'auto' }, maxRetries: 2 },
      { max_tokens: 9, tool_choice: 'auto' },
    ],
  ])('of %s, by OpenAI', (_, parameters, expected) => {
    expect(openaiParameters(recorded(parameters), true)).toEqual(expected)
  })

  it.each([
    [
      'structured output',
      { response_format: NESTED, seed: 7, stop: ['x'] },
      { output_config: { format: { type: 'json_schema', schema: SCHEMA } }, stop_sequences: ['x'] },
    ],
    ['tools', tools, { tool_choice: { type: 'tool', name: 'find' } }],
    ['a tool that has to be called', { tool_choice: 'required', top_p: 1 }, { tool_choice: { type: 'any' }, top_p: 1 }],
  ])('with %s, by Anthropic', (_, parameters, expected) => {
    expect(anthropicParameters(recorded(parameters), true)).toEqual(expected)
  })

  it('without what the vendor refuses where there are no tools', () => {
    expect(openaiParameters(recorded(tools), false)).toEqual({})
    expect(anthropicParameters(recorded(tools), false)).toEqual({})
  })
})
