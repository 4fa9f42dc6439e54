import { describe, expect, it } from 'vitest'
import { chat } from '../openai/chat.ts'
import { readOpenAiUsage } from '../openai/usage.ts'
import { createEventTranslator, toOpenAiRequest, toOpenAiResponse, toOpenAiUsage } from './translate.ts'

const called = (id: string | undefined, index: number, city: string) => {
  return { id, index, function: { name: 'weather', arguments: `{"city":"${city}"}` } }
}
const event = (toolCalls: readonly object[]) => ({ data: { choices: [{ index: 0, delta: { toolCalls } }] } })
const placesIn = (words: unknown) =>
  (words as { choices: { delta: { tool_calls: { index: number }[] } }[] }).choices[0]?.delta.tool_calls.map(
    ({ index }) => index,
  )

describe('the indexes of Mistral tool calls', () => {
  it('are assigned if the library sets 0 for all of them', () => {
    const inWords = createEventTranslator()
    expect(placesIn(inWords(event([called('a', 0, 'Paris'), called('b', 0, 'Rome')])))).toEqual([0, 1])
    expect(placesIn(inWords(event([called('c', 0, 'Oslo')])))).toEqual([2])
  })

  it('are those of the server if it sends different ones', () => {
    const inWords = createEventTranslator()
    expect(placesIn(inWords(event([called('a', 0, 'Pa'), called('b', 1, 'Ro')])))).toEqual([0, 1])
    expect(placesIn(inWords(event([called('null', 1, 'me'), called(undefined, 0, 'ris')])))).toEqual([1, 0])
    expect(placesIn(inWords(event([called('a', 1_000_000, '')])))).toEqual([1_000_000])
  })
})

it('Mistral reasoning is separate from the text of a message', () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Short. ' }, 'Good.'] },
    { type: 'text', text: 'Yes.' },
  ]
  expect(toOpenAiResponse({ choices: [{ index: 0, message: { role: 'assistant', content } }] })).toMatchObject({
    choices: [{ message: { reasoning_content: 'Short. Good.', content: 'Yes.' } }],
  })
})

it('Mistral cached tokens are found wherever a version puts unknown fields', () => {
  const details = { prompt_tokens_details: { cached_tokens: 3 } }
  for (const usage of [details, { additionalProperties: details }, { num_cached_tokens: 3 }]) {
    expect(readOpenAiUsage(toOpenAiUsage(usage))).toMatchObject({ cacheRead: 3 })
  }
})

it('the service tier of a Mistral answer stands among its token counts', () => {
  expect(toOpenAiResponse({ usage: { promptTokens: 1, serviceTier: 'priority' } }).service_tier).toBe('priority')
})

it('the text of a Mistral chunk that has references, too, is kept', () => {
  const accumulator = chat.createAccumulator()
  const content = [
    { type: 'text', text: 'Rain.' },
    { type: 'reference', reference_ids: [1] },
  ]
  accumulator.add({ choices: [{ index: 0, delta: { content: 'It says: ' } }] })
  accumulator.add({ choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }], usage: {} })
  expect(accumulator.response.messages?.[0]?.parts).toEqual([{ type: 'text', content: 'It says: Rain.' }])
})

it('Mistral audio is input, by its address or as data', () => {
  const audio = ['https://sounds.test/a.mp3', 'AQ=='].map((inputAudio) => ({ type: 'input_audio', inputAudio }))
  const { messages } = chat.readRequest(toOpenAiRequest({ messages: [{ role: 'user', content: audio }] }))
  expect(messages?.[0]?.parts).toEqual([
    { type: 'uri', modality: 'audio', uri: 'https://sounds.test/a.mp3' },
    { type: 'uri', modality: 'audio', uri: 'data:audio/wav;base64,AQ==' },
  ])
})

it.each([undefined, null, 7, 'text', [], { messages: 7, choices: 'x', data: null, usage: [] }])(
  'malformed Mistral requests and responses do not throw: %j',
  (odd) => {
    const fields = odd as never
    expect(() => [
      toOpenAiRequest(fields ?? {}),
      toOpenAiResponse(fields ?? {}),
      createEventTranslator()(fields ?? {}),
    ]).not.toThrow()
  },
)
