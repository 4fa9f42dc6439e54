import type { Attributes } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { exporting } from '../../test/support/tracing.ts'

/** What the service gets of a span, its JSON decoded. */
async function sent(attributes: Attributes, scope = 'gen_ai'): Promise<Record<string, unknown>> {
  const { tracer, exported } = exporting({ shouldExportSpan: () => true })
  tracer(scope).startSpan('s', { attributes }).end()
  const { 'svc.internal.is_app_root': _, ...rest } = (await exported())[0]?.attributes ?? {}
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, decoded(value)]))
}

function decoded(value: unknown): unknown {
  return typeof value === 'string' && /^[{[]/.test(value) ? JSON.parse(value) : value
}

const INPUT = 'svc.observation.input'
const OUTPUT = 'svc.observation.output'
const text = (content: string) => ({ type: 'text', content })
const asked = { 'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [text('Hi')] }]) }
const answered = {
  'gen_ai.output.messages': JSON.stringify([
    { role: 'assistant', parts: [text('Let me see.'), { type: 'tool_call', id: 'c', name: 'look', arguments: {} }] },
  ]),
}
const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }
const said = { role: 'assistant', content: 'Let me see.', tool_calls: [call] }

describe('messages of the GenAI conventions', () => {
  it('reach the service as it reads them, with instructions and tools', async () => {
    const attributes = {
      ...asked,
      ...answered,
      'gen_ai.system_instructions': JSON.stringify([text('Be brief.')]),
      'gen_ai.tool.definitions': JSON.stringify([{ type: 'function', name: 'look' }]),
      'gen_ai.request.model': 'm',
    }
    expect(await sent(attributes)).toEqual({
      [INPUT]: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
        tools: [{ type: 'function', function: { name: 'look' } }],
      },
      [OUTPUT]: [said],
      'gen_ai.request.model': 'm',
    })
  })

  it('of an agent do not repeat the calls of its models', async () => {
    expect(await sent({ ...answered, 'gen_ai.operation.name': 'invoke_agent' })).toMatchObject({
      [OUTPUT]: [{ role: 'assistant', content: 'Let me see.' }],
    })
  })

  it.each([
    ['that are no JSON', { 'gen_ai.input.messages': 'Hi' }],
    ['in another form', { 'gen_ai.input.messages': '[{"role":"user","content":"Hi"}]' }],
    ['that are no list', { 'gen_ai.output.messages': '{"role":"assistant","parts":[]}' }],
  ])('%s stay as they are', async (_, attributes) => {
    expect(Object.keys(await sent(attributes))).toEqual(Object.keys(attributes))
  })

  it('that are very long stay as they are', async () => {
    const long = JSON.stringify([{ role: 'user', parts: [text('x'.repeat(4_000_000))] }])
    expect(Object.keys(await sent({ 'gen_ai.input.messages': long }))).toEqual(['gen_ai.input.messages'])
  })

  it('keep what they cost on models without a price for reasoning', async () => {
    const usage = { 'gen_ai.usage.output_tokens': 9, 'gen_ai.usage.reasoning.output_tokens': 4 }
    expect(await sent({ ...usage, 'gen_ai.request.model': 'claude-sonnet-4-5' })).toEqual({
      'gen_ai.usage.output_tokens': 9,
      'gen_ai.request.model': 'claude-sonnet-4-5',
    })
    expect(await sent(usage)).toEqual(usage)
  })
})

describe('a half that the application has set', () => {
  it.each<[what: string, attributes: Attributes, other: Record<string, unknown>]>([
    ['messages', { ...asked, ...answered, [INPUT]: 'mine' }, { [OUTPUT]: [said] }],
    [
      'messages',
      { ...asked, ...answered, [OUTPUT]: 'mine' },
      { [INPUT]: { messages: [{ role: 'user', content: 'Hi' }] } },
    ],
    [
      'a tool',
      { 'gen_ai.tool.call.arguments': 'a', 'gen_ai.tool.call.result': 'b', [INPUT]: 'mine' },
      { [OUTPUT]: 'b' },
    ],
    ['OpenInference', { 'input.value': 'a', 'output.value': 'b', [OUTPUT]: 'mine' }, { [INPUT]: 'a' }],
    [
      'Traceloop',
      { 'traceloop.entity.input': 'a', 'traceloop.entity.output': 'b', [INPUT]: 'mine' },
      { [OUTPUT]: 'b' },
    ],
  ])('does not hide the other one: %s', async (_, attributes, other) => {
    const half = attributes[INPUT] === undefined ? OUTPUT : INPUT
    expect(await sent(attributes)).toMatchObject({ ...other, [half]: 'mine' })
  })
})

describe('a call of a model by the AI SDK', () => {
  const model = { 'ai.operationId': 'ai.generateText.doGenerate' }

  it('has its messages, its tools and its answer where the service reads them completely', async () => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]
    const tool = { type: 'function', name: 'look', inputSchema: {} }
    const attributes = {
      ...model,
      'ai.prompt.messages': JSON.stringify(messages),
      'ai.prompt.tools': [JSON.stringify(tool)],
      'ai.response.text': 'Let me see.',
      'ai.response.reasoning': 'Hm.',
      'ai.response.toolCalls': JSON.stringify([{ toolCallId: 'c', toolName: 'look', input: '{"at":1}' }]),
    }
    expect(await sent(attributes, 'ai')).toEqual({
      ...model,
      [INPUT]: { messages, tools: [tool] },
      [OUTPUT]: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me see.' },
            { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: { at: 1 } },
          ],
          thinking: [{ type: 'thinking', content: 'Hm.' }],
        },
      ],
    })
  })

  it('has pictures, thoughts and results of tools that the service shows', async () => {
    const result = (toolCallId: string) => ({ type: 'tool-result', toolCallId, toolName: 'look', output: {} })
    const messages = [
      { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool-call', toolCallId: 'a' },
        ],
      },
      { role: 'tool', content: [result('a'), result('b')] },
    ]
    expect(await sent({ ...model, 'ai.prompt.messages': JSON.stringify(messages) }, 'ai')).toMatchObject({
      [INPUT]: {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: expect.stringMatching(/png/) } }] },
          {
            role: 'assistant',
            content: [{ type: 'tool-call', toolCallId: 'a' }],
            thinking: [{ type: 'thinking', content: 'Hm.' }],
          },
          { role: 'tool', content: [result('a')] },
          { role: 'tool', content: [result('b')] },
        ],
      },
    })
  })

  it('that answers with an object has that as its text', async () => {
    expect(await sent({ ...model, 'ai.response.object': '{"a":1}' }, 'ai')).toMatchObject({
      [OUTPUT]: [{ role: 'assistant', content: '{"a":1}' }],
    })
  })

  it('is left alone where it says nothing, and so are its other spans', async () => {
    for (const attributes of [model, { 'ai.operationId': 'ai.generateText', 'ai.prompt': '{"prompt":"Hi"}' }]) {
      expect(Object.keys(await sent(attributes, 'ai'))).toEqual(Object.keys(attributes))
    }
  })
})

it.each([
  ['ai.embedMany.doEmbed', { 'ai.values': ['"a"', '"b"'] }, ['a', 'b']],
  ['ai.embed', { 'ai.value': '"a"' }, ['a']],
])('what the AI SDK embeds is the input of %s', async (operation, attributes, input) => {
  expect(await sent({ 'ai.operationId': operation, ...attributes }, 'ai')).toEqual({
    'ai.operationId': operation,
    [INPUT]: input,
  })
})
