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
const request = { 'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [text('Hi')] }]) }
const answered = {
  'gen_ai.output.messages': JSON.stringify([
    { role: 'assistant', parts: [text('Let me see.'), { type: 'tool_call', id: 'c', name: 'look', arguments: {} }] },
  ]),
}
const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }
const response = { role: 'assistant', content: 'Let me see.', tool_calls: [call] }

describe('messages of the GenAI conventions', () => {
  it("are sent in the service's dialect, with instructions and tools", async () => {
    const attributes = {
      ...request,
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
      [OUTPUT]: [response],
      'gen_ai.request.model': 'm',
    })
  })

  it('of an agent do not repeat its model calls', async () => {
    expect(await sent({ ...answered, 'gen_ai.operation.name': 'invoke_agent' })).toMatchObject({
      [OUTPUT]: [{ role: 'assistant', content: 'Let me see.' }],
    })
  })

  it.each([
    ['that are no JSON', { 'gen_ai.input.messages': 'Hi' }],
    ['in a form that nobody knows', { 'gen_ai.input.messages': '[{"role":"user","parts":[{"sound":1}]}]' }],
    ['that are no list', { 'gen_ai.output.messages': '{"role":"assistant","parts":[]}' }],
  ])('stay unchanged: %s', async (_, attributes) => {
    expect(Object.keys(await sent(attributes))).toEqual(Object.keys(attributes))
  })

  it('that are very long stay unchanged', async () => {
    const long = JSON.stringify([{ role: 'user', parts: [text('x'.repeat(4_000_000))] }])
    expect(Object.keys(await sent({ 'gen_ai.input.messages': long }))).toEqual(['gen_ai.input.messages'])
  })

  it('keep their token counts on models without a reasoning price', async () => {
    const usage = { 'gen_ai.usage.output_tokens': 9, 'gen_ai.usage.reasoning.output_tokens': 4 }
    expect(await sent({ ...usage, 'gen_ai.request.model': 'claude-sonnet-4-5' })).toEqual({
      'gen_ai.usage.output_tokens': 9,
      'gen_ai.request.model': 'claude-sonnet-4-5',
    })
    expect(await sent(usage)).toEqual(usage)
  })
})

describe('an input or output that the application has set', () => {
  it.each<[what: string, attributes: Attributes, other: Record<string, unknown>]>([
    ['messages', { ...request, ...answered, [INPUT]: 'mine' }, { [OUTPUT]: [response] }],
    [
      'messages',
      { ...request, ...answered, [OUTPUT]: 'mine' },
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
  ])('does not hide the other: %s', async (_, attributes, other) => {
    const half = attributes[INPUT] === undefined ? OUTPUT : INPUT
    expect(await sent(attributes)).toMatchObject({ ...other, [half]: 'mine' })
  })
})

describe('a model call by the AI SDK', () => {
  const model = { 'ai.operationId': 'ai.generateText.doGenerate' }

  it('has messages, tools and response in attributes that the service reads completely', async () => {
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

  it('has images, reasoning and tool results in forms that the service shows', async () => {
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

  it('with an object as response has that as text', async () => {
    expect(await sent({ ...model, 'ai.response.object': '{"a":1}' }, 'ai')).toMatchObject({
      [OUTPUT]: [{ role: 'assistant', content: '{"a":1}' }],
    })
  })

  it('stays unchanged without content, as do its other spans', async () => {
    for (const attributes of [model, { 'ai.operationId': 'ai.generateText', 'ai.prompt': '{"prompt":"Hi"}' }]) {
      expect(Object.keys(await sent(attributes, 'ai'))).toEqual(Object.keys(attributes))
    }
  })
})

it.each([
  ['ai.embedMany.doEmbed', { 'ai.values': ['"a"', '"b"'] }, ['a', 'b']],
  ['ai.embed', { 'ai.value': '"a"' }, ['a']],
])('has the embedded values as input of %s', async (operation, attributes, input) => {
  expect(await sent({ 'ai.operationId': operation, ...attributes }, 'ai')).toEqual({
    'ai.operationId': operation,
    [INPUT]: input,
  })
})
