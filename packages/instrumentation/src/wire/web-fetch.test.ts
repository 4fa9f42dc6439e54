import { afterEach, expect, it, vi } from 'vitest'
import { ReceivedAnswer } from './received-answer.ts'
import type { WebRequest } from './record-request.ts'
import { followWebFetch } from './web-fetch.ts'

afterEach(() => vi.unstubAllGlobals())

const ask = () => fetch('http://models.test/v1/chat/completions', { method: 'POST', body: '{}' })

it('an answer is followed that is kept for a recorded call', async () => {
  vi.stubGlobal('fetch', async () => new Response('hello'))
  const answer = new ReceivedAnswer()
  followWebFetch((_, request) => {
    ;(request as WebRequest).follow(answer)
    return false
  })
  expect(await (await ask()).text()).toBe('hello')
  expect(JSON.parse(answer.text ?? '')).toMatchObject({ status: 200, reads: [['hello']] })
})

it('a response that cannot be made again is left as it is', async () => {
  const response = Object.defineProperty(new Response('hello'), 'status', { value: 999 })
  vi.stubGlobal('fetch', async () => response)
  followWebFetch((_, request) => {
    ;(request as WebRequest).follow(new ReceivedAnswer())
    return true
  })
  expect(await (await ask()).text()).toBe('hello')
})
