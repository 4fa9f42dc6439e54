import { expect, it } from 'vitest'
import { routeOfPath } from './route-of-path.ts'

it.each([
  ['/', '/'],
  ['/chat', '/chat'],
  ['/api/v1/chat/completions', '/api/v1/chat/completions'],
  ['/chat/0', '/chat/:id'],
  ['/chat/42/messages/7', '/chat/:id/messages/:id'],
  ['/chat/6f1c1d3e-8a47-4c7e-9a3b-0d6f5f0e1a2b', '/chat/:id'],
  ['/threads/thread_abc123', '/threads/:id'],
  ['/c/V1StGXR8_Z5jdHi6B-myT', '/c/:id'],
  ['/users/ada@example.com', '/users/:id'],
  ['/search/Wer%20war%20Ada', '/search/:id'],
  ['/models/gpt-4o/oauth2', '/models/gpt-4o/oauth2'],
  ['/trpc/user.byId,post.list%2Cpost.all', '/trpc/user.byId,post.list,post.all'],
  ['/chats/7,8,9', '/chats/:id'],
  [`/${'x'.repeat(50)}`, '/:id'],
])('the route name of the path %s is %s', (path, route) => {
  expect(routeOfPath(path)).toBe(route)
})
