import { describe, expect, it } from 'vitest'
import { isMessage, readMessage, toGenAiMessage, toSimpleMessage } from './messages.ts'
import { valueText } from './values.ts'

const message = (type: string, more: object) => ({ content: '', getType: () => type, ...more })
const both = (type: string, more: object) => {
  const read = readMessage(message(type, more))
  return [toSimpleMessage(read), toGenAiMessage(read)]
}
const call = { id: 'c-1', name: 'weather', args: { city: 'Rome' } }

describe('a LangChain message', () => {
  it.each([
    ['human', 'user'],
    ['ai', 'assistant'],
    ['system', 'system'],
    ['developer', 'developer'],
  ])('of type %s has the role %s', (type, role) => {
    expect(both(type, { content: 'Hi' })).toEqual([
      { role, content: 'Hi' },
      { role, parts: [{ type: 'text', content: 'Hi' }] },
    ])
  })

  it('of an unknown type has its own role', () => {
    expect(both('generic', { content: 'Hi', role: 'critic' })[0]).toEqual({ role: 'critic', content: 'Hi' })
  })

  it('has each tool call once, however often it repeats it', () => {
    const content = [{ type: 'tool_use', id: 'c-1', name: 'weather', input: { city: 'Rome' } }]
    expect(both('ai', { content, tool_calls: [call] })).toEqual([
      { role: 'assistant', content, tool_calls: [call] },
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c-1', name: 'weather', arguments: { city: 'Rome' } }],
      },
    ])
  })

  it('whose tool calls could not be parsed has the raw calls of the provider', () => {
    const additional_kwargs = { tool_calls: [{ id: 'c-1', function: { name: 'weather', arguments: '{"city":' } }] }
    expect(both('ai', { additional_kwargs })[1]).toEqual({
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'c-1', name: 'weather', arguments: '{"city":' }],
    })
  })

  it('of a tool has the id of its tool call', () => {
    expect(both('tool', { content: 'sunny', name: 'weather', tool_call_id: 'c-1' })).toEqual([
      { role: 'weather', content: 'sunny', tool_call_id: 'c-1' },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c-1', name: 'weather', response: 'sunny' }] },
    ])
  })

  const uri = (modality: string, data: string) => ({ type: 'uri', modality, uri: data })
  it.each([
    [{ type: 'image_url', image_url: 'https://a/b.png' }, uri('image', 'https://a/b.png')],
    [{ type: 'image_url', image_url: { url: 'https://a/b.png' } }, uri('image', 'https://a/b.png')],
    [{ type: 'image', url: 'https://a/b.png' }, uri('image', 'https://a/b.png')],
    [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }, uri('image', 'data:image/png;base64,AAAA')],
    [
      { type: 'image', source_type: 'base64', data: 'AAAA', mime_type: 'image/png' },
      uri('image', 'data:image/png;base64,AAAA'),
    ],
    [
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' } },
      uri('image', 'data:image/jpeg;base64,AAAA'),
    ],
    [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } }, uri('audio', 'data:audio/mp3;base64,AAAA')],
    [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'reasoning', content: 'Hm.' },
    ],
    [
      { type: 'reasoning', summary: [{ text: 'Hm.' }] },
      { type: 'reasoning', content: 'Hm.' },
    ],
    [
      { type: 'new_kind', of: 'block' },
      { type: 'new_kind', of: 'block' },
    ],
  ])('with %j has the part %j', (block, part) => {
    expect(both('human', { content: [block] })[1]).toEqual({ role: 'user', parts: [part] })
  })
})

/** As LangGraph has it. */
class Command {
  lg_name = 'Command'
  #update: unknown
  constructor(update: unknown) {
    this.#update = update
  }
  toJSON() {
    return { lg_name: this.lg_name, update: this.#update }
  }
}

describe('a LangChain value', () => {
  const hi = message('human', { content: 'Hi' })
  it.each([
    [{ messages: [hi] }, '[{"role":"user","content":"Hi"}]'],
    [{ input: [hi] }, '[{"role":"user","content":"Hi"}]'],
    [{ messages: [hi], step: 1 }, '{"messages":[{"role":"user","content":"Hi"}],"step":1}'],
    [{ deep: { er: [hi] } }, '{"deep":{"er":[{"role":"user","content":"Hi"}]}}'],
    [
      [new Command({ messages: [hi] })],
      '[{"lg_name":"Command","update":{"messages":[{"role":"user","content":"Hi"}]}}]',
    ],
    [{ content: 'Hi' }, 'Hi'],
    [{ output: 'Hi' }, 'Hi'],
    [{ output: { a: 1 } }, '{"a":1}'],
    [{ input: 'Hi' }, '{"input":"Hi"}'],
    ['Hi', 'Hi'],
    [undefined, undefined],
    [{ output: undefined }, undefined],
  ])('%j is recorded as %j', (value, text) => {
    expect(valueText(value)).toBe(text)
  })

  it('that is circular or endless is recorded up to a limit', () => {
    const circle: Record<string, unknown> = { name: 'circle' }
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) circle[key] = circle
    expect(valueText(circle)).toContain('"name":"circle"')
    expect(valueText('x'.repeat(2_000_000))?.length).toBeLessThan(1_100_000)
  })

  it('that only looks like a message is not treated as one', () => {
    expect([null, 'text', {}, { content: 'x' }, { getType: () => 'ai' }].map(isMessage)).not.toContain(true)
  })
})

const FILE = { type: 'file', file_id: 'file_1' }

it.each([
  ['a file by its id', { type: 'file', fileId: 'file_1', mimeType: 'application/pdf' }, FILE],
  ['a file by its id, as before', { type: 'file', source_type: 'id', id: 'file_1' }, FILE],
  ["OpenAI's file", { type: 'file', file: { file_id: 'file_1' } }, FILE],
  ["OpenAI's file of a response", { type: 'input_file', file_id: 'file_1' }, FILE],
  ["Anthropic's file", { type: 'document', source: { type: 'file', file_id: 'file_1' } }, FILE],
  ['an image by its id', { type: 'image', fileId: 'file_1' }, { ...FILE, modality: 'image' }],
  [
    "Gemini's file",
    { type: 'media', fileUri: 'https://google.test/v1beta/files/abc', mimeType: 'video/mp4' },
    { type: 'uri', modality: 'video', uri: 'https://google.test/v1beta/files/abc', file_id: 'files/abc' },
  ],
  [
    'the data of a file',
    { type: 'file', file: { file_data: 'data:application/pdf;base64,AQ==', filename: 'a.pdf' } },
    { type: 'uri', uri: 'data:application/pdf;base64,AQ==', filename: 'a.pdf' },
  ],
  ['the text of a file', { type: 'file', source_type: 'text', text: 'A note.' }, { type: 'text', content: 'A note.' }],
  ['a plain text', { type: 'text-plain', text: 'A note.' }, { type: 'text', content: 'A note.' }],
  [
    "Anthropic's document of text",
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A note.' } },
    { type: 'text', content: 'A note.' },
  ],
  [
    'what a guardrail is to look at',
    { type: 'guard_content', guardContent: { text: { text: 'Safe?' } } },
    { type: 'text', content: 'Safe?' },
  ],
  [
    'an image for it to look at',
    { type: 'guard_content', guardContent: { image: { format: 'png' } } },
    { type: 'guard_content', guardContent: { image: { format: 'png' } } },
  ],
  [
    'a file beside which other fields are null',
    { type: 'input_image', file_id: 'file_1', image_url: null },
    { type: 'file', file_id: 'file_1' },
  ],
  ['a text beside them', { type: 'text', text: 'Hi', image_url: null }, { type: 'text', content: 'Hi' }],
  ['a refusal', { type: 'refusal', refusal: 'No.' }, { type: 'refusal', content: 'No.' }],
  [
    'a call of a tool that the vendor runs',
    { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'rain' } },
    { type: 'tool_call', id: 's1', name: 'web_search', arguments: { query: 'rain' } },
  ],
  [
    'the result of a tool that the vendor runs',
    { type: 'server_tool_call_result', toolCallId: 's1', status: 'success', output: { found: 1 } },
    { type: 'tool_call_response', id: 's1', response: { found: 1 } },
  ],
])('%s is a part of a LangChain message', (_, block, part) => {
  expect(toGenAiMessage(readMessage({ type: 'human', content: [block] })).parts).toEqual([part])
})
