import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_ADDITIONAL_HEADERS adds percent-decoded headers, and replaces default ones in any case', async () => {
  const { requests } = await chat({ SVC_ADDITIONAL_HEADERS: 'x-team=blue%2Cgreen, X-Svc-Ingestion-Version=3' })
  expect(requests).toMatchObject([{ headers: { 'x-team': 'blue,green', 'x-svc-ingestion-version': '3' } }])
})

it('an invalid SVC_ADDITIONAL_HEADERS is ignored with a warning that hides its value', async () => {
  const { requests, lines } = await chat({ SVC_ADDITIONAL_HEADERS: 'x-token secret' })
  expect(requests).toHaveLength(1)
  expect(lines).toEqual([expect.stringMatching(/SVC_ADDITIONAL_HEADERS=\(hidden\) is ignored: expected name=value/)])
})
