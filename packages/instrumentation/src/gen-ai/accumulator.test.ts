import { expect, it } from 'vitest'
import { Accumulator, byType } from './accumulator.ts'
import { text } from './merge.ts'
import { asString } from './read.ts'

function accumulator(): Accumulator {
  return new Accumulator({
    toDelta: byType('type', { text: ({ delta }) => ({ content: delta }) }),
    table: { content: text },
    isComplete: ({ content }) => content === 'all of it',
    readResponse: ({ content }) => ({ id: asString(content) }),
  })
}

it('stream events are accumulated by their type, and unknown ones are ignored', () => {
  const stream = accumulator()
  const events = [
    { type: 'text', delta: 'all ' },
    { type: 'other', delta: 'x' },
    { type: 'constructor', delta: 'x' },
    { type: '__proto__', delta: 'x' },
    { type: 5 },
    null,
    'text',
    { type: 'text', delta: 'of it' },
  ]
  expect(events.map((event) => stream.add(event))).toEqual([true, ...Array(6).fill(false), true])
  expect([stream.isComplete, stream.response]).toEqual([true, { id: 'all of it' }])
})

it('a stream without events gives a response without content', () => {
  const stream = accumulator()
  expect([stream.isComplete, stream.response]).toEqual([false, { id: undefined }])
})
