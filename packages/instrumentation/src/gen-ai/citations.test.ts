import { expect, it } from 'vitest'
import { messages } from '../anthropic/messages.ts'
import { chat as cohereChat, command } from '../cohere/readers.ts'
import { generateContent } from '../google-genai/rest.ts'
import { chat } from '../openai/chat.ts'
import { responses } from '../openai/responses.ts'
import type { Fields } from './read.ts'
import type { Reader } from './reader.ts'

const page = { url: 'https://weather.test/paris', title: 'Weather' }
const cited = { type: 'web_search_result_location', ...page, cited_text: 'It rains.' }
const noted = { type: 'url_citation', start_index: 0, end_index: 4, ...page }
const found = { web: { uri: page.url, title: page.title } }
const repeated = { startIndex: 0, endIndex: 4, uri: page.url }

const quoted = { start: 0, end: 4, text: 'Rain', sources: [{ type: 'document', id: 'doc_1' }] }
const later = { ...quoted, start: 5, end: 9 }

const chunkOf = (delta: Fields) => ({ choices: [{ index: 0, delta }] })

const output = [
  { type: 'web_search_call', id: 'ws_1' },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Rain', annotations: [noted] }] },
]
const candidate = {
  content: { parts: [{ text: 'Rain' }] },
  groundingMetadata: { groundingChunks: [found] },
  citationMetadata: { citationSources: [repeated] },
}

const CASES: Readonly<Record<string, [reader: Reader, whole: Fields, events: Fields[], citations: unknown[]]>> = {
  "Anthropic's messages": [
    messages,
    { content: [{ type: 'text', text: 'Rain', citations: [cited, cited] }] },
    [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: [] } },
      { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: cited } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Rain' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: cited } },
    ],
    [cited, cited],
  ],
  'chat completions': [
    chat,
    { choices: [{ index: 0, message: { role: 'assistant', content: 'Rain', annotations: [noted, repeated] } }] },
    [chunkOf({ content: 'Rain', annotations: [noted] }), chunkOf({ annotations: [repeated] })],
    [noted, repeated],
  ],
  'a list of sources that is empty beside others': [
    chat,
    { citations: [], choices: [{ message: { content: 'Rain', annotations: [noted] } }] },
    [{ citations: [], ...chunkOf({ content: 'Rain', annotations: [noted] }) }],
    [noted],
  ],
  'each of several choices': [
    chat,
    { choices: [[], [noted], [repeated]].map((annotations) => ({ message: { content: 'Rain', annotations } })) },
    [[], [noted], [repeated]].map((annotations, index) => ({ choices: [{ index, delta: { annotations } }] })),
    [noted, repeated],
  ],
  "Azure's own data": [
    chat,
    { choices: [{ message: { content: 'Rain', context: { intent: '[]', citations: [found] } } }] },
    [chunkOf({ context: { intent: '[]', citations: [found] } }), chunkOf({ content: 'Rain' })],
    [found],
  ],
  Cohere: [
    cohereChat,
    { message: { role: 'assistant', content: [{ type: 'text', text: 'Rain' }], citations: [quoted, later] } },
    [quoted, later].map((citations) => ({ type: 'citation-start', index: 0, delta: { message: { citations } } })),
    [quoted, later],
  ],
  "Cohere's first version": [
    command,
    { text: 'Rain', citations: [quoted, later] },
    [quoted, later].map((citation) => ({ event_type: 'citation-generation', citations: [citation] })),
    [quoted, later],
  ],
  Gemini: [
    generateContent,
    { candidates: [candidate] },
    [{ candidates: [{ content: { parts: [{ text: 'Ra' }] } }] }, { candidates: [candidate] }],
    [found, repeated],
  ],
  'a response that breaks': [
    responses,
    { output, status: 'incomplete' },
    [
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', content: [] } },
      { type: 'response.output_text.delta', output_index: 0, delta: 'Rain' },
      { type: 'response.output_text.annotation.added', output_index: 0, annotation_index: 0, annotation: noted },
    ],
    [noted],
  ],
  "OpenAI's responses": [
    responses,
    { output, status: 'completed' },
    [{ type: 'response.completed', response: { output, status: 'completed' } }],
    [noted],
  ],
}

it.each(Object.entries(CASES))(
  'the sources of an answer of %s are its citations',
  (_, [reader, whole, events, all]) => {
    expect(reader.readResponse(whole).citations).toEqual(all)
    const accumulator = reader.createAccumulator()
    for (const event of events) accumulator.add(event)
    expect(accumulator.response.citations).toEqual(all)
  },
)
