import { channel } from 'node:diagnostics_channel'
import { expect, it } from 'vitest'
import { recordModelRequests } from './sent-requests.ts'

it('only what is posted to the path of a model is recorded, or opens a channel to one', () => {
  const recorded: unknown[] = []
  recordModelRequests((_, request) => recorded.push(request) > 0)
  const requests = [
    { method: 'POST', path: '/v1/chat/completions' },
    { method: 'GET', path: '/v1/realtime?model=gpt-realtime' },
    { method: 'GET', path: '/v1/chat/completions' },
    { method: 'POST', path: '/v1/orders' },
  ]
  for (const request of requests) channel('undici:request:create').publish({ request })
  recordModelRequests(() => false)
  expect(recorded).toEqual(requests.slice(0, 2))
})
