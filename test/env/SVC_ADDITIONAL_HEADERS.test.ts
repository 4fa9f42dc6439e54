import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('adds headers, percent-decoded, and overrides ours in any case', async () => {
  const { requests } = await chat({ SVC_ADDITIONAL_HEADERS: 'x-team=blue%2Cgreen, X-Svc-Ingestion-Version=3' })
  expect(requests).toMatchObject([{ headers: { 'x-team': 'blue,green', 'x-svc-ingestion-version': '3' } }])
})

it('is ignored with a line that hides it when a pair is broken', async () => {
  const { requests, lines } = await chat({ SVC_ADDITIONAL_HEADERS: 'x-token secret' })
  expect(requests).toHaveLength(1)
  expect(lines).toEqual([expect.stringMatching(/SVC_ADDITIONAL_HEADERS=\(hidden\) is ignored: expected name=value/)])
})
