import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChatPromptClient, TextPromptClient } from './prompt-client.ts'

const facts = { version: 3, config: { model: 'm' }, labels: ['production'], tags: ['x'], commitMessage: 'first' }
const text = (prompt: string) => new TextPromptClient({ ...facts, name: 'text', prompt })

/** Messages are logged once a process, so every test has a prompt of its own name. */
let count = 0
function chat(...prompt: ChatPromptClient['prompt']): ChatPromptClient {
  count += 1
  return new ChatPromptClient({ ...facts, name: `chat-${count}`, prompt })
}

const system = { role: 'system', content: 'You know {{topic}}.' }
const history = { type: 'placeholder', name: 'history' } as const
const hello = [
  { role: 'user', content: 'Hello {{topic}}' },
  { role: 'assistant', content: 'Hi' },
]

const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
afterEach(() => warn.mockClear())
const warnings = () => warn.mock.calls.map(([line]) => String(line).replace(/^.*\[WARN\] /, ''))

describe('a text prompt', () => {
  it('has the fields of the response of the service', () => {
    const prompt = text('Hello {{name}}')
    expect(prompt).toMatchObject({ ...facts, name: 'text', type: 'text', isFallback: false, prompt: 'Hello {{name}}' })
    expect(prompt.promptResponse).toEqual({ ...facts, name: 'text', prompt: 'Hello {{name}}' })
  })

  it('is compiled', () => {
    expect(text('Hello {{name}}').compile({ name: 'Ada' })).toBe('Hello Ada')
    expect(text('Hello {{name}}').compile()).toBe('Hello ')
  })

  it('names the prompt in the error if it cannot be compiled', () => {
    expect(() => text('Hello {{name').compile()).toThrow(
      'svc: prompt "text", version 3, cannot be compiled: Unclosed tag at 12.',
    )
  })

  it('is written for LangChain', () => {
    expect(text('{"a": "{{b}}"}').getLangchainPrompt()).toBe('{{"a": "{b}"}}')
  })

  it('becomes JSON', () => {
    expect(JSON.parse(text('a').toJSON())).toEqual({
      name: 'text',
      prompt: 'a',
      version: 3,
      isFallback: false,
      tags: ['x'],
      labels: ['production'],
      type: 'text',
      config: { model: 'm' },
    })
  })
})

describe('a chat prompt', () => {
  it('is compiled: the variables of its own messages, and what is inserted as it is', () => {
    expect(chat(system, history).compile({ topic: 'Oslo' }, { history: hello })).toEqual([
      { role: 'system', content: 'You know Oslo.' },
      { role: 'user', content: 'Hello {{topic}}' },
      { role: 'assistant', content: 'Hi' },
    ])
    expect(warnings()).toEqual([])
  })

  it('keeps additional fields of an inserted message', () => {
    const call = { role: 'assistant', content: '', tool_calls: [{ id: '1' }] }
    expect(chat(history).compile({}, { history: [call] })).toEqual([call])
  })

  it('omits a placeholder that receives an empty list', () => {
    expect(chat(system, history).compile({}, { history: [] })).toEqual([{ role: 'system', content: 'You know .' }])
    expect(warnings()).toEqual([])
  })

  it('keeps a placeholder that receives no value, with one warning', () => {
    const prompt = chat(system, history)
    expect(prompt.compile({})[1]).toEqual(history)
    prompt.compile({})
    expect(warnings()).toEqual([
      `prompt "${prompt.name}": placeholder "history" got no messages and stays in the result. ` +
        'Pass compile(variables, { history: […] }), or [] to remove it.',
    ])
  })

  it.each([
    ['a text', 'hello', '"hello"'],
    ['an object', { role: 'user' }, '{"role":"user"}'],
    ['a list of something else', ['hello'], '["hello"]'],
    ['null', null, 'null'],
  ])('inserts %s as JSON text, with a warning', (_, value, json) => {
    const prompt = chat(history)
    expect(prompt.compile({}, { history: value as never })).toEqual([json])
    expect(warnings()).toEqual([
      `prompt "${prompt.name}": placeholder "history" is filled with JSON text: ` +
        'expected a list of messages with role and content.',
    ])
  })

  it('warns about messages that belong to no placeholder', () => {
    const prompt = chat(system, history)
    prompt.compile({}, { history: [], histroy: hello })
    expect(warnings()).toEqual([
      `prompt "${prompt.name}" has no placeholder "histroy", so its messages are not used: it has history.`,
    ])
  })

  it('does not throw for a cyclic placeholder value', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    expect(chat(history).compile({}, { history: cyclic as never })).toEqual(['{"self":"[Circular]"}'])
  })

  it('takes messages of LangChain and of the UI of the AI SDK', () => {
    const ai = { getType: () => 'ai', content: '', tool_calls: [{ id: 'c', name: 'add', args: { a: 1 } }] }
    const given = [
      { getType: () => 'human', content: 'a {b}' },
      ai,
      { getType: () => 'tool', content: '3', tool_call_id: 'c' },
      { type: 'system', content: 'dumped' },
      { id: 'm', role: 'user', parts: [{ type: 'step-start' }, { type: 'text', text: 'c' }] },
    ]
    const call = { id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }
    expect(chat(history).compile({}, { history: given })).toEqual([
      { role: 'user', content: 'a {b}' },
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', content: '3', tool_call_id: 'c' },
      { role: 'system', content: 'dumped' },
      { role: 'user', content: 'c' },
    ])
    // LangChain does not read a message of its own as a template.
    expect(chat(history).getLangchainPrompt({ placeholders: { history: given } })).toEqual([
      ...given.slice(0, 3),
      { role: 'system', content: 'dumped' },
      { role: 'user', content: 'c' },
    ])
    expect(warnings()).toEqual([])
  })

  it('takes what OpenAI has as messages as it is', () => {
    const items = [
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{}' } }] },
      { type: 'reasoning', id: 'rs', summary: [] },
      { type: 'function_call', call_id: 'c', name: 'add', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: '3' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
    ]
    expect(chat(history).compile({}, { history: items })).toEqual(items)
    expect(warnings()).toEqual([])
  })

  it.each([[[{ role: 'user', content: 'Hi' }]], ['Hi'], [3]])(
    'refuses %j in the place of placeholders, with the line to write',
    (given) => {
      const line = 'such as compile(variables, { history: […] }): got'
      expect(() => chat(history).compile({}, given as never)).toThrow(line)
      expect(() => chat(history).getLangchainPrompt({ placeholders: given as never })).toThrow(line)
      expect(() => chat(history).getLangchainPrompt({ history: given } as never)).toThrow(
        new TypeError(
          'svc: getLangchainPrompt needs an object such as { placeholders: { history: […] } }: got a value of type object.',
        ),
      )
    },
  )

  it('is written for LangChain with nothing of what is inserted as a template', () => {
    const parts = [{ type: 'text', text: 'a {b} {{q}}' }] as unknown as string
    const placeholders = {
      history: [
        { role: 'user', content: 'a {b} {{q}}' },
        { role: 'user', content: parts },
      ],
    }
    expect(chat(history).getLangchainPrompt({ placeholders })).toEqual([
      { role: 'user', content: 'a {{b}} {{{{q}}}}' },
      { role: 'user', content: [{ type: 'text', text: 'a {{b}} {{{{q}}}}' }] },
    ])
    expect(chat(history).getLangchainPrompt({ placeholders: { history: 'a {b}' as never } })).toEqual(['"a {{b}}"'])
  })

  it('names the prompt in the error if LangChain cannot have it', () => {
    const prompt = chat({ role: 'user', content: '{{#a}}b{{/a}}' })
    const message = `svc: prompt "${prompt.name}", version 3, has no form for LangChain: LangChain has nothing like {{#a}}.`
    expect(() => prompt.getLangchainPrompt()).toThrow(message)
  })

  it('does not render variables in inserted messages', () => {
    const messages = [
      { role: 'user', content: 'what does {{# mean?' },
      { role: 'user', content: [{ type: 'text', text: '{{a}}' }] as unknown as string },
    ]
    expect(chat(history).compile({}, { history: messages })).toEqual(messages)
  })

  it('names the prompt in the error if it cannot be compiled', () => {
    const prompt = chat({ role: 'system', content: '{{#a}}' })
    expect(() => prompt.compile()).toThrow(`prompt "${prompt.name}", version 3, cannot be compiled: Unclosed section`)
  })

  it('is written for LangChain, with tuples for unfilled placeholders', () => {
    expect(chat(system, history).getLangchainPrompt()).toEqual([
      { role: 'system', content: 'You know {topic}.' },
      ['placeholder', '{history}'],
    ])
    expect(
      chat(system, history)
        .getLangchainPrompt()
        .map(({ role, content }) => [role, content]),
    ).toEqual([
      ['system', 'You know {topic}.'],
      ['placeholder', '{history}'],
    ])
    expect(chat(history).getLangchainPrompt({ placeholders: { history: hello } })).toEqual([
      { role: 'user', content: 'Hello {{{{topic}}}}' },
      { role: 'assistant', content: 'Hi' },
    ])
    expect(chat(history).getLangchainPrompt({ placeholders: { history: [] } })).toEqual([])
    expect(warnings()).toEqual([])
  })

  it('has the type of each entry, except in its JSON', () => {
    const prompt = chat(system, history)
    expect(prompt.prompt).toEqual([{ ...system, type: 'chatmessage' }, history])
    expect(JSON.parse(prompt.toJSON())).toMatchObject({ type: 'chat', prompt: [system, history] })
  })

  it('is not changed by compiling', () => {
    const prompt = chat(system, history)
    const before = structuredClone(prompt.prompt)
    prompt.compile({ topic: 'x' }, { history: hello })
    expect(prompt.prompt).toEqual(before)
  })
})
