import { expect, it, vi } from 'vitest'
import { toText } from './json.ts'
import { headers } from './readers.ts'
import { SeenMessages } from './seen-messages.ts'

vi.mock('@svc/core/on-server', () => ({ ON_SERVER: false }))

it.each<readonly [unknown, unknown]>([
  [undefined, undefined],
  ['a=1,b=%20x', { a: '1', b: ' x' }],
  [{ 'x-team': 'ä' }, { 'x-team': 'ä' }],
])('headers are read on the edge as on a server: %o', (given, read) => {
  expect(headers(given)).toEqual(read)
})

it.each(['two words=1', { a: '€' }, { a: 'x\ny' }])(
  'headers that fetch refuses are invalid on the edge: %o',
  (given) => {
    expect(() => headers(given)).toThrow(TypeError)
  },
)

it('of messages on the edge with the same beginning a few are new', () => {
  const seen = new SeenMessages()
  const messages = Array.from({ length: 30 }, (_, at) => `the values of this kind of message vary: ${at}`)
  expect(messages.filter((message) => seen.isNew(message))).toHaveLength(20)
  expect([seen.isNew(messages[0] as string), seen.isNew('another message')]).toEqual([false, true])
})

it('of messages on the edge that differ in a quoted value a few are new', () => {
  const seen = new SeenMessages()
  const messages = Array.from({ length: 30 }, (_, at) => `level "${at}" is not known`)
  expect(messages.filter((message) => seen.isNew(message))).toHaveLength(20)
})

it('values are written on the edge as on a server', () => {
  const values = [[1, { a: new Set([2]) }], new Map([['b', new Error('c')]]), new Map([[1, 2]])]
  expect(values.map(toText)).toEqual(['[1,{"a":[2]}]', '{"b":{"name":"Error","message":"c"}}', '[[1,2]]'])
})
