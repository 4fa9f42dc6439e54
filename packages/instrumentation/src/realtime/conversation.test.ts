import { afterEach, expect, it } from 'vitest'
import { configure } from '../gen-ai/configure.ts'
import { SessionConversation } from './conversation.ts'

afterEach(() => configure({}))

const text = (content: string) => ({ role: 'user', parts: [{ type: 'text', content }] })
const size = (conversation: SessionConversation) => JSON.stringify(conversation.messages).length

it('the deltas of a realtime transcript become one message', () => {
  const conversation = new SessionConversation()
  conversation.append('spoken', 'user', 'What is ')
  conversation.append('spoken', 'user', 'a span?')
  expect(conversation.messages).toEqual([text('What is a span?')])
})

it('realtime audio is replaced by its transcript, and deleted messages are removed', () => {
  const conversation = new SessionConversation()
  conversation.put(1, { role: 'user', parts: [{ type: 'blob', modality: 'audio' }] })
  conversation.put(2, text('Forget this.'))
  conversation.transcribe(1, 'What is a span?')
  conversation.transcribe(3, 'Nobody asked.')
  conversation.delete(2)
  expect(conversation.messages).toEqual([text('What is a span?')])
})

it('a message of a full realtime conversation is still replaced by its transcript', () => {
  const conversation = new SessionConversation()
  for (let id = 0; id < 128; id += 1)
    conversation.put(id, { role: 'user', parts: [{ type: 'blob', modality: 'audio' }] })
  conversation.put(128, text('One too many.'))
  conversation.transcribe(0, 'What is a span?')
  expect(conversation.messages).toHaveLength(128)
  expect(conversation.messages[0]).toEqual(text('What is a span?'))
})

it('a realtime message that fits its limit exactly is not cut', () => {
  configure({ contentMaxBytes: 100 })
  const conversation = new SessionConversation()
  // The type of a part counts as well.
  conversation.put(1, text('x'.repeat(96)))
  expect(conversation.messages).toEqual([text('x'.repeat(96))])
})

it('the number of deltas, messages and parts of a realtime conversation is bounded', () => {
  configure({ contentMaxBytes: 10_000 })
  const [pieces, messages, pictures] = [new SessionConversation(), new SessionConversation(), new SessionConversation()]
  for (let count = 0; count < 10_000; count += 1) {
    pieces.append('spoken', 'user', 'x'.repeat(100))
    messages.put(count, text('x'.repeat(1_000)))
    pictures.put(count, { role: 'user', parts: [{ type: 'uri', uri: `data:image/png;base64,${'A'.repeat(20_000)}` }] })
  }
  for (const each of [pieces, messages, pictures]) expect(size(each)).toBeLessThan(30_000)
})
