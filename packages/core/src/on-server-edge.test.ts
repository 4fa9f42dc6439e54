import { expect, it, vi } from 'vitest'
import { toText } from './json.ts'

vi.mock('@svc/core/on-server', () => ({ ON_SERVER: false }))

it('values are written on the edge as on a server', () => {
  const values = [[1, { a: new Set([2]) }], new Map([['b', new Error('c')]]), new Map([[1, 2]])]
  expect(values.map(toText)).toEqual(['[1,{"a":[2]}]', '{"b":{"name":"Error","message":"c"}}', '[[1,2]]'])
})
