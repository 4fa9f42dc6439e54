import { chatInput, chatMessages, type Message, type Part } from '@svc/core/chat-content'
import { describe, expect, it } from 'vitest'
import { chat } from './chat.ts'

const text = (content: string): Part => ({ type: 'text', content })
const call: Part = { type: 'tool_call', id: 'c1', name: 'look', arguments: { id: 1 } }
const answer: Part = { type: 'tool_call_response', id: 'c1', response: { type: 'cat' } }
const image: Part = { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'iVBORw0KGgo=' }

/** As `@ai-sdk/otel` and the GenAI conventions write them. */
const MESSAGES: readonly (readonly [string, Message])[] = [
  ['a text', { role: 'user', parts: [text('What?')] }],
  ['a text that reads as a boolean', { role: 'user', parts: [text(' true ')] }],
  ['several texts', { role: 'user', parts: [text('one'), text('two')] }],
  ['nothing', { role: 'user', parts: [] }],
  ['a name', { role: 'user', name: 'ada', parts: [text('What?')] }],
  ['an image', { role: 'user', parts: [text('What is this?'), image] }],
  ['an image alone', { role: 'user', parts: [image] }],
  ['a link to an image', { role: 'user', parts: [{ ...image, type: 'uri', uri: 'https://x.test/a.png' }] }],
  [
    'a link',
    { role: 'user', parts: [{ type: 'uri', modality: 'video', mime_type: 'video/mp4', uri: 'https://x.test/a' }] },
  ],
  [
    'a document',
    { role: 'user', parts: [{ type: 'blob', modality: 'document', mime_type: 'a/pdf', content: 'QUJD' }] },
  ],
  ['a tool call', { role: 'assistant', parts: [call] }],
  ['a tool call without arguments', { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'look' }] }],
  [
    'text, reasoning and tool calls',
    {
      role: 'assistant',
      parts: [{ type: 'reasoning', content: 'hm' }, text('So'), call, { ...call, id: 'c2', arguments: '{"a":1}' }],
    },
  ],
  ['reasoning alone', { role: 'assistant', parts: [{ type: 'reasoning', content: 'hm' }] }],
  ['the response of a tool', { role: 'tool', parts: [answer] }],
  ['responses of tools', { role: 'tool', parts: [answer, { ...answer, id: 'c2', response: 'a dog' }] }],
  ['a response and a text of the user', { role: 'user', parts: [answer, text('And?')] }],
  ['a response that the provider gave', { role: 'assistant', parts: [call, answer, text('So')] }],
]

const written = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('messages of an edge runtime', () => {
  it.each(MESSAGES)('are written as those of a server: %s', (_, message) => {
    expect(written(chat.chatMessages([message]))).toEqual(written(chatMessages([message])))
  })

  it('keep a part that is not known, as JSON', () => {
    const [message] = written(chat.chatMessages([{ role: 'user', parts: [{ type: 'custom', kind: 'x' }] }]))
    expect(message).toEqual({ role: 'user', content: '{"type":"custom","kind":"x"}' })
  })

  it('show what is not in the span as JSON, and no medium that is none', () => {
    const parts = [
      { type: 'blob', modality: 'image', mime_type: 'image/png', file_id: 'f1' },
      { type: 'uri', modality: 'image' },
    ]
    const [message] = written(chat.chatMessages([{ role: 'user', parts }]))
    expect(message.content).toEqual(parts.map((part) => ({ type: 'text', text: JSON.stringify(part) })))
  })

  it('show an image by its modality where its type is not known', () => {
    const [message] = written(chat.chatMessages([{ role: 'user', parts: [{ ...image, mime_type: null } as never] }]))
    expect(message.content).toEqual([{ type: 'image_url', image_url: { url: 'data:;base64,iVBORw0KGgo=' } }])
  })

  it('without ids have calls and responses that belong together by the name of the tool', () => {
    const [calling, answering] = written(
      chat.chatMessages([
        { role: 'assistant', parts: [{ type: 'tool_call', name: 'look' }] },
        { role: 'tool', parts: [{ type: 'tool_call_response', name: 'look', response: 'a cat' }] },
      ]),
    )
    expect([calling.tool_calls[0].id, answering.tool_call_id]).toEqual(['look', 'look'])
  })
})

describe('the input of an edge runtime', () => {
  const messages: readonly Message[] = [{ role: 'user', parts: [text('What?')] }]
  const parameters = { type: 'object' }

  it.each([
    ['instructions', { instructions: [text('Be kind')], messages }],
    [
      'tools of the conventions',
      { messages, tools: [{ type: 'function', name: 'look', description: 'Looks', parameters }] },
    ],
    ['tools of the AI SDK', { messages, tools: [{ type: 'function', name: 'look', inputSchema: parameters }] }],
    [
      'tools of providers',
      { messages, tools: [{ type: 'provider', id: 'openai.mcp', name: 'mcp', args: {} }, { type: 'web_search' }] },
    ],
    ['tools of OpenAI', { messages, tools: [{ type: 'function', function: { name: 'look', parameters } }] }],
    ['tools without a function', { messages, tools: [{ type: 'function', function: null, name: 'look' }] }],
    ['no tools', { messages, tools: undefined }],
    ['tools that are none', { messages, tools: ['x', null] }],
    ['nothing', {}],
  ])('is written as that of a server: %s', (_, conversation) => {
    expect(chat.chatInput(conversation)).toEqual(chatInput(conversation))
  })
})
