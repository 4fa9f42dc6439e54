import { describe, expect, it } from 'vitest'
import { answerIn, questionIn } from './messages.ts'

const tools = [{ type: 'function', function: { name: 'look', parameters: { example: { role: 'user', name: 'Ada' } } } }]
const user = (content: unknown) => ({ role: 'user', content })

describe('the user message in a recorded input', () => {
  it.each([
    ['text', 'Who was Ada?', 'Who was Ada?'],
    [
      'ChatML',
      { messages: [{ role: 'system', content: 'Be kind' }, user('first'), user('Who was "Ada" {?')], tools },
      'Who was "Ada" {?',
    ],
    [
      'a content in parts',
      { messages: [user([{ type: 'text', text: 'What is' }, { type: 'image_url' }, { type: 'text', text: 'this?' }])] },
      'What is\nthis?',
    ],
    [
      'the GenAI conventions',
      [
        { role: 'user', parts: [{ type: 'text', content: 'Who?' }] },
        { role: 'assistant', parts: [] },
      ],
      'Who?',
    ],
    ['results of tools after it', [user('Who?'), user([{ type: 'tool_result', content: 'Ada' }])], 'Who?'],
    ['a role that does not come first', [{ content: 'Who?', role: 'user' }], 'Who?'],
    [
      'a message that is most of it',
      [user('Who was Ada, and what did she write about engines?')],
      'Who was Ada, and what did she write about engines?',
    ],
    ['a message with escapes', [user('Who was "Ada",\n\\and when?"')], 'Who was "Ada",\n\\and when?"'],
    ['a message with a name', [{ role: 'user', content: 'Who?', name: 'Ada' }], 'Who?'],
    ['an empty message after it', [user('Who?'), user('')], 'Who?'],
    ['a body of the API', { model: 'm', input: 'Who?' }, JSON.stringify({ model: 'm', input: 'Who?' })],
  ])('is the last text of the user in %s', (_, input, question) => {
    expect(questionIn(typeof input === 'string' ? input : JSON.stringify(input))).toBe(question)
  })

  it('is found at the end of a long conversation with long definitions of tools', () => {
    const long = { messages: [user('x'.repeat(1_000_000)), user('Who?')], tools: Array(20).fill(tools[0]) }
    expect(questionIn(JSON.stringify(long))).toBe('Who?')
  })

  it('is the unchanged input if that is truncated', () => {
    expect(questionIn('[{"role":"user","content":"Wh')).toBe('[{"role":"user","content":"Wh')
    expect(questionIn('')).toBeUndefined()
  })
})

describe('the response in a recorded output', () => {
  const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{"id":1}' } }
  it.each([
    ['text', 'Ada.', 'Ada.'],
    ['ChatML', [{ role: 'assistant', content: 'Ada.', tool_calls: [call] }], 'Ada.'],
    [
      'the GenAI conventions',
      [
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', content: 'hm' },
            { type: 'text', content: 'Ada.' },
          ],
        },
      ],
      'Ada.',
    ],
    ['a completion', { choices: [{ message: { role: 'assistant', content: 'Ada.' } }] }, 'Ada.'],
  ])('is its text in %s', (_, output, answer) => {
    expect(answerIn(typeof output === 'string' ? output : JSON.stringify(output))).toBe(answer)
  })

  it.each([
    ['nested', { tool_calls: [call] }, { id: 1 }],
    ['in parts', { parts: [{ type: 'tool_call', name: 'look', arguments: { id: 1 } }] }, { id: 1 }],
    ['in the content', { content: [{ type: 'tool-call', toolName: 'look', input: { id: 1 } }] }, { id: 1 }],
  ])('is the tool calls without a text, in a form that the service does not count again: %s', (_, message, args) => {
    const output = JSON.stringify([{ role: 'assistant', ...message }])
    expect(JSON.parse(answerIn(output) ?? '')).toEqual([{ tool: 'look', arguments: args }])
  })
})
