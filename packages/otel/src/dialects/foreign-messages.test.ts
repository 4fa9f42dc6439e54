import { describe, expect, it } from 'vitest'
import { contentOf } from './content-of.ts'

const input = (messages: unknown, more: object = {}) => {
  const found = contentOf({ 'gen_ai.input.messages': JSON.stringify(messages), ...more }, 'app')?.input
  return found === undefined ? undefined : JSON.parse(String(found))
}
const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{"id":1}' } }

describe('messages in the attributes of the conventions, in the form of a vendor,', () => {
  it.each<[vendor: string, message: object, expected: object]>([
    ['Gemini', { role: 'user', parts: [{ text: 'Hi' }] }, { role: 'user', content: 'Hi' }],
    [
      'Gemini, with a thought and a call',
      {
        role: 'model',
        parts: [{ text: 'hm', thought: true }, { functionCall: { id: 'c', name: 'look', args: { id: 1 } } }],
      },
      { role: 'assistant', thinking: [{ type: 'thinking', content: 'hm' }], tool_calls: [call] },
    ],
    [
      'Gemini, with a result',
      { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'look', response: { cat: true } } }] },
      { role: 'tool', tool_call_id: 'c', name: 'look', content: '{"cat":true}' },
    ],
    [
      'Gemini, with an image',
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AQID' } }] },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } }] },
    ],
    ['OpenAI', { role: 'user', content: 'Hi' }, { role: 'user', content: 'Hi' }],
    [
      'OpenAI, with calls',
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'assistant', tool_calls: [call] },
    ],
    [
      'OpenAI, with a result',
      { role: 'tool', tool_call_id: 'c', content: 'A cat' },
      { role: 'tool', tool_call_id: 'c', content: 'A cat' },
    ],
    [
      'Anthropic',
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: { id: 1 } }] },
      { role: 'assistant', tool_calls: [call] },
    ],
  ])('are converted: %s', (_, message, expected) => {
    expect(input([message])).toEqual({ messages: [expected] })
  })

  it('stay as they are if nothing is known of them', () => {
    expect(input([{ role: 'user', parts: [{ sound: 1 }] }])).toBeUndefined()
    expect(input('Hi')).toBeUndefined()
  })

  it('are not hidden by attributes of a prompt that has no content', () => {
    const messages = [{ role: 'user', parts: [{ sound: 1 }] }]
    expect(input(messages, { 'gen_ai.prompt.name': 'greet' })).toEqual(messages)
  })
})

it("input and output of Mastra's agents are those of the span", () => {
  const attributes = { 'mastra.agent_run.input': '"Hi"', 'mastra.agent_run.output': '{"text":"Hello"}', other: 1 }
  expect(contentOf(attributes, '@mastra/otel-bridge')).toMatchObject({ input: '"Hi"', output: '{"text":"Hello"}' })
})
