import { describe, expect, it } from 'vitest'
import { event, span } from '../../test/support/span.ts'
import { ioOf } from './io.ts'

type Said = Parameters<typeof span>[0]
type Case = [source: string, said: Said, input: unknown, output: unknown]

const both = (input: string, output: string, scope = 'my-tracer'): [Said, unknown, unknown] => [
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
    '3 AI SDK, then the GenAI messages',
    { scope: 'ai', attributes: { 'gen_ai.input.messages': '[]', 'gen_ai.output.messages': '[1]' } },
    '[]',
    '[1]',
  ],
  ['4 Flue', ...both('flue.tool.arguments', 'flue.tool.result')],
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
        event('gen_ai.content.completion', { 'gen_ai.completion': 'answered' }),
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
  ['10 LiveKit', ...both('lk.user_input', 'lk.response.text')],
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
  ['16 pydantic-ai', ...both('pydantic_ai.all_messages', 'final_result')],
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
      { role: 'system', parts: [{ type: 'text', content: 'be nice' }] },
      { role: 'user', parts: [] },
    ],
    undefined,
  ],
  ['20 GenAI tools', ...both('gen_ai.tool.call.arguments', 'gen_ai.tool.call.result')],
]

describe('sources', () => {
  it.each(SOURCES)('%s', (_, said, input, output) => {
    const io = ioOf(span(said))
    expect([io.input, io.output]).toEqual([input, output])
  })
})

it('both sides come from the first source that has either', () => {
  const attributes = {
    'svc.observation.input': 'stated',
    'gen_ai.input.messages': '[]',
    'gen_ai.output.messages': '[]',
  }
  expect(ioOf(span({ attributes }))).toEqual({
    input: 'stated',
    output: undefined,
    used: ['svc.observation.input'],
  })
})

it('an empty text is no input', () => {
  const attributes = { 'svc.observation.input': '', 'input.value': 'asked' }
  expect(ioOf(span({ attributes }))).toMatchObject({ input: 'asked', used: ['input.value'] })
})

it('dotted keys can neither fill memory nor reach a prototype', () => {
  const attributes = {
    'gen_ai.prompt.0.__proto__.polluted': 'yes',
    'gen_ai.prompt.4000000000.role': 'user',
    [`gen_ai.prompt.0.${'a.'.repeat(5_000)}b`]: 'deep',
  }
  const { input } = ioOf(span({ attributes }))
  expect(JSON.stringify(input)).toBe('[{"__proto__":{"polluted":"yes"}}]')
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
})
