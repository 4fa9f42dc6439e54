import { describe, expect, it } from 'vitest'
import { span } from '../../../test/support/span.ts'
import type { Observation } from '../../store/observation.ts'
import type { Attributes } from '../../store/received.ts'
import { observationOf } from '../map/observation.ts'
import { observationFor } from '../trace.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function observed(input: unknown, output: unknown, given: Parameters<typeof span>[0] = {}): Observation {
  const attributes: Attributes = { 'svc.observation.input': text(input), 'svc.observation.output': text(output) }
  return read({
    scope: '@svc/instrumentation-x',
    name: 'chat a-model',
    ...given,
    attributes: { ...attributes, ...given.attributes },
  })
}

const read = (given: Parameters<typeof span>[0]) => observationFor(observationOf(span(given), {}, 0))

const PARAMETERS = { type: 'object' }
const CHAT = {
  messages: [
    { role: 'system', content: 'Be kind' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c0', type: 'function', function: { name: 'look', arguments: '{"id":1}' } }],
    },
    { role: 'tool', tool_call_id: 'c0', content: 'A cat' },
  ],
  tools: [{ type: 'function', function: { name: 'look', description: 'Looks', parameters: PARAMETERS } }],
}
const ANSWER = [
  {
    role: 'assistant',
    content: 'A cat.',
    thinking: [{ type: 'thinking', content: 'hm' }],
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"id":2}' } }],
  },
]

const NAMES = ['chat gpt-4o', 'gemini-2.5-pro', 'openai.chat', 'vertex ai', 'a step']
const SCOPES = ['@svc/instrumentation-openai', 'svc-sdk', 'my-tracer', 'openinference.x', 'genkit', 'langchain']

describe('chats in the form of section 8 are read completely:', () => {
  it.each(NAMES.flatMap((name) => SCOPES.map((scope) => [name, scope])))('span "%s" of scope %s', (name, scope) => {
    for (const metadata of [{}, { 'svc.observation.metadata.ls_provider': '"x"' }]) {
      const { chat, toolDefinitions, toolCalls } = observed(CHAT, ANSWER, { name, scope, attributes: metadata })
      expect(chat.input?.messages.map(shown)).toEqual([
        'system: text',
        'user: text',
        'assistant: nothing look',
        'tool: text of c0',
      ])
      expect(chat.output?.messages.map(shown)).toEqual(['assistant: text look (thinking)'])
      expect(toolDefinitions).toEqual([{ name: 'look', description: 'Looks', parameters: PARAMETERS }])
      expect(toolCalls).toEqual([{ id: 'c1', name: 'look', arguments: '{"id":2}' }])
    }
  })

  it('except in the scope `ai`, where tool calls are parts of the content', () => {
    expect(observed(CHAT, ANSWER, { scope: 'ai' }).chat).toEqual({ input: null, output: null })
    const output = [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'A cat.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { id: 2 } },
        ],
        thinking: [{ type: 'thinking', content: 'hm' }],
      },
    ]
    const input = {
      messages: [
        { role: 'user', content: 'hi' },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'text', value: 'A cat' } },
          ],
        },
      ],
      tools: [{ type: 'function', name: 'look', description: 'Looks', inputSchema: PARAMETERS }],
    }
    const { chat, toolDefinitions, toolCalls } = observed(input, output, { scope: 'ai' })
    expect(chat.input?.messages.map(shown)).toEqual(['user: text', 'tool: text of c1'])
    expect(chat.output?.messages.map(shown)).toEqual(['assistant: text look (thinking)'])
    expect(toolDefinitions).toEqual([{ name: 'look', description: 'Looks', parameters: PARAMETERS }])
    expect(toolCalls).toEqual([{ id: 'c1', name: 'look', arguments: '{"id":2}' }])
  })
})

// Section 7.1, row by row: the calls that are stored, and what the chat view shows of input and output.
const FUNCTION = { name: 'look', arguments: '{"id":2}' }
const NESTED = { id: 'c1', type: 'function', function: FUNCTION }
const MESSAGES = [{ role: 'user', content: 'hi' }]
const PARTS = [{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }]
const SHAPES: [shape: string, input: unknown, output: unknown, given: Parameters<typeof span>[0], expected: unknown][] =
  [
    [
      'OpenAI chat body, whole answer',
      { model: 'm', messages: MESSAGES },
      { model: 'm', choices: [{ message: { role: 'assistant', content: null, tool_calls: [NESTED] } }] },
      {},
      { calls: ['look'], input: ['user: text'], output: ['assistant: nothing look'] },
    ],
    [
      'OpenAI message with tool_calls null',
      { messages: MESSAGES },
      { role: 'assistant', content: 'x', tool_calls: null },
      { name: 'openai' },
      { calls: [], input: ['user: text'], output: null },
    ],
    [
      'OpenAI with an unnamed tool',
      { messages: MESSAGES, tools: [{ type: 'web_search' }] },
      ANSWER,
      {},
      { calls: ['look'], input: null, output: ['assistant: text look (thinking)'] },
    ],
    [
      'OpenAI Responses',
      { input: MESSAGES, instructions: 'Be kind' },
      { output: [{ type: 'function_call', call_id: 'c1', ...FUNCTION }] },
      {},
      { calls: [], input: ['system: text', 'user: text'], output: ['assistant: nothing look'] },
    ],
    [
      'Bedrock',
      { messages: [{ role: 'user', content: [{ text: 'hi' }] }] },
      { output: { message: { role: 'assistant', content: [{ toolUse: { name: 'look' } }] } } },
      {},
      { calls: [], input: ['user: table'], output: null },
    ],
    [
      'Gemini',
      { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
      { candidates: [{ content: { parts: [{ functionCall: { id: 'c1', name: 'look', args: {} } }] } }] },
      {},
      { calls: [], input: ['user: text'], output: ['model: nothing look'] },
    ],
    [
      'GenAI parts',
      PARTS,
      [{ role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'look', arguments: {} }] }],
      {},
      { calls: [], input: ['user: text'], output: ['assistant: nothing look'] },
    ],
    [
      'GenAI parts in a span that is named for Gemini',
      PARTS,
      [{ role: 'assistant', parts: [{ type: 'text', content: 'hi' }] }],
      { name: 'chat gemini-2.5-pro' },
      { calls: [], input: ['user: nothing'], output: ['assistant: nothing'] },
    ],
    [
      'GenAI parts with tools',
      { messages: PARTS, tools: [{ name: 'look' }] },
      [{ role: 'assistant', parts: [{ type: 'text', content: 'hi' }] }],
      {},
      { calls: [], input: ['user: nothing {parts}'], output: ['assistant: text'] },
    ],
    [
      'flat calls in one object',
      MESSAGES,
      { role: 'assistant', content: 'x', tool_calls: [{ name: 'look', args: {} }] },
      {},
      { calls: ['look'], input: ['user: text'], output: null },
    ],
    [
      'Anthropic blocks',
      { messages: MESSAGES },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
      {},
      { calls: ['look'], input: ['user: text'], output: ['assistant: table'] },
    ],
  ]

it.each(SHAPES)('%s', (_, input, output, given, expected) => {
  const { chat, toolCalls } = observed(input, output, given)
  expect({
    calls: toolCalls.map(({ name }) => name),
    input: chat.input?.messages.map(shown) ?? null,
    output: chat.output?.messages.map(shown) ?? null,
  }).toEqual(expected)
})

describe('tool definitions in other attributes are moved into the input:', () => {
  const tool = { name: 'look', description: 'Looks' }
  const messages = JSON.stringify(MESSAGES)

  it.each([
    ['gen_ai.tool.definitions', JSON.stringify([tool])],
    ['ai.prompt.tools', [JSON.stringify(tool)]],
    ['llm.tools.0.tool.json_schema', JSON.stringify(tool)],
  ])('%s', (key, value) => {
    const { input, toolDefinitions, metadata } = read({ attributes: { [key]: value, 'input.value': messages } })
    expect(input).toEqual({ messages: MESSAGES, tools: [tool] })
    expect(toolDefinitions).toEqual([tool])
    expect(metadata.attributes).toEqual({})
  })

  it('unless one has no name', () => {
    const tools = JSON.stringify([tool, { type: 'web_search' }])
    expect(read({ attributes: { 'gen_ai.tool.definitions': tools } }).toolDefinitions).toEqual([])
  })

  it("except for spans of the service's SDK", () => {
    const attributes = { 'gen_ai.tool.definitions': JSON.stringify([tool]) }
    expect(read({ scope: 'svc-sdk', attributes }).toolDefinitions).toEqual([])
  })

  it('as names only for other vendors', () => {
    const anthropic = [{ name: 'look', input_schema: PARAMETERS }]
    expect(observed({ messages: [], tools: anthropic }, 'x').toolDefinitions).toEqual([{ name: 'look' }])
    const gemini = [{ functionDeclarations: [tool] }]
    expect(observed({ messages: [], tools: gemini }, 'x').toolDefinitions).toEqual([])
  })
})

it('an output that is not a chat stays unchanged, and such an input has no chat view', () => {
  expect(observed(CHAT, 'plain').chat.output).toBeNull()
  expect(observed('plain', ANSWER).chat.input).toBeNull()
  expect(observed({ messages: [{ role: 'user', content: 'true' }] }, ANSWER).chat.input).toBeNull()
})

function shown({
  role,
  content,
  calls,
  answers,
  thinking,
  collapsed,
}: NonNullable<Observation['chat']['input']>['messages'][number]) {
  return [
    `${role}: ${content}`,
    ...calls,
    ...(answers === undefined ? [] : [`of ${answers}`]),
    ...(thinking ? ['(thinking)'] : []),
    ...(collapsed.length > 0 ? [`{${collapsed.join()}}`] : []),
  ].join(' ')
}

it('a single LangChain message is a chat, with tool calls of either form', () => {
  const calls = [
    { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"id":2}' } },
    { id: 'c2', type: 'tool_call', name: 'listen', args: { id: 3 } },
  ]
  const attributes = { 'svc.observation.metadata.ls_provider': '"x"' }
  const { chat } = observed(
    CHAT,
    { role: 'assistant', content: '', tool_calls: calls },
    { scope: 'svc-sdk', attributes },
  )
  expect(chat.output?.messages.flatMap((message) => message.calls)).toEqual(['look', 'listen'])
})
