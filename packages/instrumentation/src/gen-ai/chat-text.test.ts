import { describe, expect, it } from 'vitest'
import { chatText } from './chat-text.ts'

const long = 'word '.repeat(200)
const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: JSON.stringify({ long }) } })
const chat = {
  messages: [
    { role: 'system', content: long },
    {
      role: 'user',
      content: [
        { type: 'text', text: long },
        { type: 'image_url', image_url: { url: 'https://x.test/a' } },
      ],
    },
    { role: 'assistant', thinking: [{ type: 'thinking', content: long }], tool_calls: [call('a'), call('b')] },
    { role: 'tool', tool_call_id: 'a', content: long },
    { role: 'user', content: 'And now?' },
  ],
  tools: [{ type: 'function', function: { name: 'look', description: long, parameters: { type: 'object' } } }],
}

interface Shown {
  readonly role: unknown
  readonly content?: unknown
  readonly tool_calls?: readonly { readonly id: unknown; readonly function: Readonly<Record<string, unknown>> }[]
}

/** Whether the service shows it in its formatted view. */
function isShown({ role, content, tool_calls = [] }: Shown): boolean {
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  return (
    typeof role === 'string' &&
    parts.every((part) => typeof part === 'object' && typeof Reflect.get(Object(part), 'type') === 'string') &&
    tool_calls.every(({ id, function: { name, arguments: input } }) =>
      [id, name, input].every((it) => typeof it === 'string'),
    )
  )
}

describe('the text of a conversation', () => {
  it('is complete if it fits', () => {
    expect(chatText(chat)).toBe(JSON.stringify(chat))
  })

  it.each([0, 1, 5, 20, 40, 80, 120, 200, 300, 500, 800, 1_200, 2_000, 3_000, 4_000, 5_000])(
    'within %i bytes is still a conversation, and keeps the newest message first',
    (limit) => {
      const text = chatText(chat, limit)
      const { messages, tools = [] } = JSON.parse(text)
      expect(messages.length).toBeGreaterThan(0)
      expect(messages.filter((message: Shown) => !isShown(message))).toEqual([])
      expect(
        tools.filter((tool: { function?: { name?: unknown } }) => typeof tool.function?.name !== 'string'),
      ).toEqual([])
      expect(text.length).toBeLessThan(limit * 2 + 1_500)
      if (limit >= 80) expect(messages.at(-1)).toEqual({ role: 'user', content: 'And now?' })
      const [answer] = JSON.parse(chatText([{ role: 'assistant', content: long }], limit))
      expect(answer.role).toMatch(/assistant|system/)
    },
  )

  it('that cannot be read is one message with a note', () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    expect(chatText({ messages: [{ role: 'user', content: [cycle] }] })).toContain('"role":"user"')
    const hostile = {
      toJSON() {
        throw new Error('no')
      },
    }
    expect(JSON.parse(chatText(hostile)).messages).toEqual([{ role: 'system', content: '<failed to serialize>' }])
  })
})
