import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it.each([
  [undefined, '4'],
  ['3', '3'],
])('SVC_INGESTION_VERSION=%s sends %s', async (value, sent) => {
  const { requests } = await chat({ SVC_INGESTION_VERSION: value })
  expect(requests.map(({ headers }) => headers['x-svc-ingestion-version'])).toEqual([sent])
})

it('SVC_INGESTION_VERSION=5, which the service refuses, is ignored with a warning', async () => {
  const { requests, lines } = await chat({ SVC_INGESTION_VERSION: '5' })
  expect(requests.map(({ headers }) => headers['x-svc-ingestion-version'])).toEqual(['4'])
  expect(lines).toEqual([expect.stringMatching(/SVC_INGESTION_VERSION="5" is ignored: expected 4 or 3/)])
})
