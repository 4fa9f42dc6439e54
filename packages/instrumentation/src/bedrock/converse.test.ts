import { expect, it } from 'vitest'
import type { ResponseContent } from '../gen-ai/content.ts'
import type { Fields } from '../gen-ai/read.ts'
import { converse } from './converse.ts'

const asked = (...content: readonly Fields[]) =>
  converse.readRequest({ messages: [{ role: 'user', content }] }).messages
const answered = (...content: readonly Fields[]) =>
  converse.readResponse({ output: { message: { role: 'assistant', content } }, stopReason: 'end_turn' })

function streamed(...events: readonly Fields[]): ResponseContent {
  const accumulator = converse.createAccumulator()
  for (const event of events) accumulator.add(event)
  return accumulator.response
}

const start = (start: Fields) => ({ contentBlockStart: { start, contentBlockIndex: 0 } })
const delta = (delta: Fields) => ({ contentBlockDelta: { delta, contentBlockIndex: 0 } })

it('an answer with sources is text, and the sources are citations', () => {
  const source = { title: 'Weather', location: { web: { url: 'https://weather.test' } } }
  const whole = answered({ citationsContent: { content: [{ text: 'It rains.' }], citations: [source] } })
  const pieces = streamed(delta({ text: 'It ' }), delta({ citation: source }), delta({ text: 'rains.' }))
  for (const { messages, citations } of [whole, pieces]) {
    expect(messages?.[0]?.parts).toEqual([{ type: 'text', content: 'It rains.' }])
    expect(citations).toEqual([source])
  }
})

it('what a guardrail is to look at, documents of text and files in S3 are input', () => {
  const s3Location = { uri: 's3://bucket/cat' }
  const messages = asked(
    { guardContent: { text: { text: 'Am I safe?', qualifiers: ['query'] } } },
    { document: { name: 'note', format: 'txt', source: { text: 'A note.' } } },
    { document: { name: 'list', source: { content: [{ text: 'One.' }, { text: 'Two.' }] } } },
    { document: { name: 'book', format: 'pdf', source: { bytes: new Uint8Array([1]) } } },
    { image: { format: 'png', source: { s3Location } } },
    { video: { format: 'mp4', source: { s3Location } } },
    { searchResult: { source: 'https://weather.test', title: 'Weather', content: [{ text: 'It rains.' }] } },
  )
  expect(messages?.[0]?.parts).toEqual([
    { type: 'text', content: 'Am I safe?' },
    { type: 'text', content: 'A note.' },
    { type: 'text', content: 'One.' },
    { type: 'text', content: 'Two.' },
    { type: 'document', name: 'book', format: 'pdf' },
    { type: 'uri', modality: 'image', uri: 's3://bucket/cat' },
    { type: 'uri', modality: 'video', uri: 's3://bucket/cat' },
    {
      type: 'searchResult',
      content: { source: 'https://weather.test', title: 'Weather', content: [{ text: 'It rains.' }] },
    },
  ])
})

it('the image of a tool is a part of its result', () => {
  const image = { format: 'png', source: { bytes: new Uint8Array([1]) } }
  const [message] = asked({ toolResult: { toolUseId: 't1', content: [{ json: { at: 1 } }, { image }] } }) ?? []
  expect(message).toEqual({
    role: 'tool',
    parts: [
      {
        type: 'tool_call_response',
        id: 't1',
        response: [
          { type: 'text', content: { at: 1 } },
          { type: 'uri', modality: 'image', uri: 'data:image/png;base64,AQ==' },
        ],
      },
    ],
  })
})

it("the result of the vendor's own tool is one in a stream, too", () => {
  const toolResult = { toolUseId: 't1', type: 'nova_grounding_result' }
  const { messages } = streamed(
    start({ toolResult }),
    delta({ toolResult: [{ text: 'It ' }] }),
    delta({ toolResult: [{ text: 'rains.' }] }),
  )
  expect(messages?.[0]?.parts).toEqual([{ type: 'tool_call_response', id: 't1', response: 'It rains.' }])
  const { messages: other } = streamed(start({ toolResult }), delta({ toolResult: [{ json: { rain: true } }] }))
  expect(other?.[0]?.parts).toEqual([{ type: 'tool_call_response', id: 't1', response: { rain: true } }])
})
