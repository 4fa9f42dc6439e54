import { describe, expect, it } from 'vitest'
import { event, span } from '../../../test/support/span.ts'
import { ioOf } from './io.ts'

type SpanFields = Parameters<typeof span>[0]
type Case = [source: string, given: SpanFields, input: unknown, output: unknown]

const both = (input: string, output: string, scope = 'my-tracer'): [SpanFields, unknown, unknown] => [
  { scope, attributes: { [input]: 'asked', [output]: 'answered' } },
  'asked',
  'answered',
]

// Contract 5.4, sources 1 to 20.
const SOURCES: Case[] = [
  ['1 the SDK', ...both('svc.observation.input', 'svc.observation.output')],
  ['2 Genkit', ...both('genkit:input', 'genkit:output', 'genkit-tracer')],
  ['2 Genkit keys in another scope', { attributes: { 'genkit:input': 'asked' } }, undefined, undefined],
  ['3 AI SDK', ...both('ai.prompt.messages', 'ai.response.text', 'ai')],
  ['3 AI SDK, whole call', ...both('ai.prompt', 'ai.result.text', 'ai')],
  ['3 AI SDK, tool', ...both('ai.toolCall.args', 'ai.toolCall.result', 'ai')],
  [
    '3 AI SDK, text and tool calls at once',
    { scope: 'ai', attributes: { 'ai.response.text': 'hm', 'ai.response.toolCalls': '[{}]' } },
    undefined,
    { role: 'assistant', content: 'hm', tool_calls: '[{}]' },
  ],
  [
    '3 AI SDK, which never looks further',
    { scope: 'ai', attributes: { 'input.value': 'asked' } },
    undefined,
    undefined,
  ],
  [
    '3 AI SDK, of which embedded values are not read',
    { scope: 'ai', attributes: { 'ai.values': ['asked'] } },
    undefined,
    undefined,
  ],
  [
    '3 AI SDK, each half from the GenAI messages where it is empty',
    {
      scope: 'ai',
      attributes: { 'ai.prompt': 'asked', 'gen_ai.input.messages': '[]', 'gen_ai.output.messages': '[1]' },
    },
    'asked',
    '[1]',
  ],
  [
    '3 AI SDK, then the GenAI messages',
    { scope: 'ai', attributes: { 'gen_ai.input.messages': '[]', 'gen_ai.output.messages': '[1]' } },
    '[]',
    '[1]',
  ],
  ['4 Flue', ...both('flue.tool.arguments', 'flue.tool.result', '@flue/opentelemetry')],
  ['4 Flue keys in another scope', { attributes: { 'flue.tool.result': 'answered' } }, undefined, undefined],
  [
    '5 the event with all messages',
    { events: [event('gen_ai.client.inference.operation.details', { 'gen_ai.input.messages': '[1]' })] },
    '[1]',
    undefined,
  ],
  [
    '6 an event a message',
    {
      events: [
        event('gen_ai.system.message', { content: 'be nice' }),
        event('gen_ai.user.message', { content: 'hi' }),
        event('gen_ai.choice', { message: 'hello' }),
      ],
    },
    [
      { role: 'system', content: 'be nice' },
      { role: 'user', content: 'hi' },
    ],
    { message: 'hello' },
  ],
  [
    '7 events of prompt and completion',
    {
      events: [
        event('gen_ai.content.prompt', { 'gen_ai.prompt': 'asked' }),
        event('gen_ai.content.completion', { 'output.value': 'answered' }),
      ],
    },
    'asked',
    'answered',
  ],
  ['8 Vertex agents', ...both('gcp.vertex.agent.llm_request', 'gcp.vertex.agent.llm_response')],
  [
    '8 Vertex agents, which write {} for nothing',
    { attributes: { 'gcp.vertex.agent.llm_request': '{}', 'gcp.vertex.agent.tool_call_args': '{"a":1}' } },
    '{"a":1}',
    undefined,
  ],
  ['9 prompt and events of all messages', ...both('prompt', 'all_messages_events')],
  ['10 LiveKit', ...both('lk.input_text', 'lk.response.text')],
  [
    '11 events in an attribute',
    { attributes: { events: '[{"event.name":"gen_ai.user.message","a":1},{"event.name":"gen_ai.choice","b":2}]' } },
    [{ 'event.name': 'gen_ai.user.message', a: 1 }],
    { 'event.name': 'gen_ai.choice', b: 2 },
  ],
  ['12 MLflow', ...both('mlflow.spanInputs', 'mlflow.spanOutputs')],
  ['13 Traceloop', ...both('traceloop.entity.input', 'traceloop.entity.output')],
  ['14 OpenInference', ...both('input.value', 'output.value')],
  ['15 bare', ...both('input', 'output')],
  ['16 pydantic-ai', ...both('pydantic_ai.all_messages', 'final_result', 'pydantic-ai')],
  ['16 pydantic-ai keys in another scope', { attributes: { final_result: 'answered' } }, undefined, undefined],
  ['17 tools', ...both('tool_arguments', 'tool_response')],
  [
    '18 dotted prompts',
    {
      attributes: {
        'gen_ai.prompt.1.role': 'user',
        'gen_ai.prompt.0.role': 'system',
        'gen_ai.prompt.0.content': 'be nice',
        'gen_ai.completion.0.content': 'hello',
      },
    },
    [{ role: 'system', content: 'be nice' }, { role: 'user' }],
    [{ content: 'hello' }],
  ],
  [
    '19 dotted messages',
    {
      attributes: {
        'llm.input_messages.0.message.content': 'hi',
        'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c',
      },
    },
    [{ message: { content: 'hi' } }],
    [{ message: { tool_calls: [{ tool_call: { id: 'c' } }] } }],
  ],
  ['20 GenAI messages', ...both('gen_ai.input.messages', 'gen_ai.output.messages')],
  [
    '20 GenAI messages with system instructions',
    {
      attributes: {
        'gen_ai.system_instructions': '[{"type":"text","content":"be nice"}]',
        'gen_ai.input.messages': '[{"role":"user","parts":[]}]',
      },
    },
    [
      { role: 'system', content: 'be nice' },
      { role: 'user', parts: [] },
    ],
    undefined,
  ],
  [
    '20 GenAI system instructions without messages, which are lost',
    { attributes: { 'gen_ai.system_instructions': '[]', 'gen_ai.output.messages': '[1]' } },
    undefined,
    '[1]',
  ],
  ['18 dotted prompts without completions', { attributes: { 'gen_ai.prompt': 'asked' } }, 'asked', {}],
  ['20 GenAI tools', ...both('gen_ai.tool.call.arguments', 'gen_ai.tool.call.result')],
]

describe('input and output are read from', () => {
  it.each(SOURCES)('%s', (_, given, input, output) => {
    const io = ioOf(span(given))
    expect([io.input, io.output]).toEqual([input, output])
  })
})

it.each([
  ['svc.observation.input', { input: 'stated', output: undefined }],
  ['svc.observation.output', { input: undefined, output: 'stated' }],
])('input and output are read from one source: with %s alone the other one stays empty', (key, expected) => {
  const attributes = { [key]: 'stated', 'gen_ai.input.messages': '[]', 'gen_ai.output.messages': '[]' }
  expect(ioOf(span({ attributes }))).toEqual(expected)
})

it('an empty input of the SDK is used, and one of other scopes is skipped', () => {
  expect(ioOf(span({ attributes: { 'svc.observation.input': '', 'input.value': 'asked' } })).input).toBe('')
  expect(ioOf(span({ attributes: { 'mlflow.spanInputs': '', 'input.value': 'asked' } })).input).toBe('asked')
})

it('input and output of Genkit are unwrapped, and empty ones are final', () => {
  const genkit = (attributes: Record<string, string>) => ioOf(span({ scope: 'genkit-tracer', attributes }))
  expect(genkit({ 'input.value': 'asked' })).toEqual({})
  expect(genkit({ 'genkit:input': '{"messages":[1]}', 'genkit:output': '{"message":{"a":1}}' })).toEqual({
    input: [1],
    output: { a: 1 },
  })
})

it('dotted attribute keys can neither fill memory nor change a prototype', () => {
  const attributes = {
    'gen_ai.prompt.0.__proto__.polluted': 'yes',
    'gen_ai.prompt.4000000000.role': 'user',
    [`gen_ai.prompt.0.${'a.'.repeat(5_000)}b`]: 'deep',
  }
  const { input } = ioOf(span({ attributes }))
  expect(JSON.stringify(input)).toBe('[{"__proto__":{"polluted":"yes"}}]')
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
})
