import { expect, it } from 'vitest'
import { routeOf } from './route-of.ts'

const route = (path: string, params?: unknown) =>
  routeOf(new Request(`https://shop.example${path}`), { params: Promise.resolve(params) })

it.each([
  ['/api/chats', undefined, '/api/chats'],
  ['/api/chats?id=7', {}, '/api/chats'],
  ['/api/chats/7', { id: '7' }, '/api/chats/[id]'],
  ['/api/7/chats/7', { id: '7' }, '/api/7/chats/[id]'],
  ['/api/chats/70', { id: '7' }, '/api/chats/70'],
  ['/api/teas/a%20b/green', { kind: 'a b' }, '/api/teas/[kind]/green'],
  ['/docs/a/b/c', { path: ['a', 'b', 'c'] }, '/docs/[...path]'],
  ['/docs', { path: undefined }, '/docs'],
])('the route of %s with the params %j is %s', async (path, params, expected) => {
  expect(await route(path, params)).toBe(expected)
})

it('the route of a request never rejects', async () => {
  const request = new Request('https://shop.example/api')
  expect(await routeOf(request, undefined)).toBe('/api')
  expect(await routeOf(request, { params: Promise.reject(new Error('no')) })).toBe('/')
})
