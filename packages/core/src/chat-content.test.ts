import { describe, expect, it } from 'vitest'
import { chatInput, chatMessages, type Part } from './chat-content.ts'

const user = (...parts: Part[]) => [{ role: 'user', parts }]
const text = (content: unknown): Part => ({ type: 'text', content })
const contentOf = (part: Part) => chatMessages(user(part))[0]?.content

describe('the recorded content of a conversation', () => {
  it('has its messages and tools, and the instructions as the first message', () => {
    const tools = [{ name: 'look', input_schema: { type: 'object' } }]
    expect(chatInput({ instructions: [text('Be brief.')], messages: user(text('Hi')), tools })).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
    })
  })

  it('is undefined without messages', () => {
    expect(chatInput({})).toBeUndefined()
    expect(chatInput({ messages: [], tools: [] })).toBeUndefined()
  })

  it('has each tool call with an id and arguments as text, and each result under the id of its call', () => {
    const parts = [
      { type: 'tool_call', name: 'look', arguments: { at: 1 } },
      { type: 'tool_call', name: 'read' },
      { type: 'tool_call', id: 'own', name: 'look', arguments: '{"at":' },
    ]
    const answers = [
      { type: 'tool_call_response', name: 'read', response: 'text' },
      { type: 'tool_call_response', id: 'own', response: [text('seen')] },
      { type: 'tool_call_response', name: 'look', response: { seen: [true] } },
    ]
    const call = (id: string, name: string, input: string) => ({
      id,
      type: 'function',
      function: { name, arguments: input },
    })
    expect(
      chatMessages([
        { role: 'assistant', parts },
        { role: 'user', parts: [...answers, text('And now?')] },
      ]),
    ).toEqual([
      {
        role: 'assistant',
        tool_calls: [call('call_0', 'look', '{"at":1}'), call('call_1', 'read', '{}'), call('own', 'look', '{"at":')],
      },
      { role: 'tool', tool_call_id: 'call_1', name: 'read', content: 'text' },
      { role: 'tool', tool_call_id: 'own', content: 'seen' },
      { role: 'tool', tool_call_id: 'call_0', name: 'look', content: '{"seen":[true]}' },
      { role: 'user', content: 'And now?' },
    ])
  })

  it('has the results of provider-run tools after the message with the calls', () => {
    const parts = [
      { type: 'tool_call', id: 's1', name: 'search', arguments: {} },
      { type: 'tool_call_response', id: 's1', response: 'found' },
      text('There.'),
    ]
    expect(chatMessages([{ role: 'assistant', parts }]).map(({ role }) => role)).toEqual(['assistant', 'tool'])
  })

  it('has reasoning beside the content, and no empty fields', () => {
    const parts = [{ type: 'reasoning', content: 'Hm.' }, text('Yes.')]
    expect(chatMessages([{ role: 'assistant', parts }])).toEqual([
      { role: 'assistant', content: 'Yes.', thinking: [{ type: 'thinking', content: 'Hm.' }] },
    ])
    expect(chatMessages([{ role: 'assistant', parts: [] }])).toEqual([{ role: 'assistant', content: '' }])
  })
})

describe('a message part', () => {
  const PNG = 'data:image/png;base64,AAAA'
  it.each<[what: string, part: Part, content: unknown]>([
    ['a picture by address', { type: 'uri', modality: 'image', uri: 'https://x.test/a' }, image('https://x.test/a')],
    ['a picture', { type: 'uri', modality: 'image', uri: PNG }, image(PNG)],
    ['bytes of a picture', { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'AAAA' }, image(PNG)],
    ['a picture whose bytes are not recorded', { type: 'blob', modality: 'image' }, '[image]'],
    [
      'a sound',
      { type: 'uri', modality: 'audio', uri: 'data:audio/mp3;base64,AAAA' },
      [{ type: 'input_audio', input_audio: { data: 'data:audio/mp3;base64,AAAA', format: 'mp3' } }],
    ],
    ['a document', { type: 'uri', uri: 'data:application/pdf;base64,AAAA' }, ['data:application/pdf;base64,AAAA']],
    ['a document by address', { type: 'uri', uri: 'gs://bucket/a.pdf' }, 'gs://bucket/a.pdf'],
    ['a file', { type: 'file', file_id: 'file-1' }, '[file file-1]'],
    ['a refusal', { type: 'refusal', content: 'No.' }, 'No.'],
    ['tokens', { type: 'tokens', count: 3 }, '[3 tokens]'],
    ['an unknown part', { type: 'compaction', id: 'c' }, '{"type":"compaction","id":"c"}'],
    ['a text that reads as a value', text('true'), [{ type: 'text', text: 'true' }]],
    ['nothing', text(undefined), ''],
  ])('is written in a form that the service shows: %s', (_, part, content) => {
    expect(contentOf(part)).toEqual(content)
  })

  function image(url: string) {
    return [{ type: 'image_url', image_url: { url } }]
  }
})
