import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('and SVC_SECRET_KEY sign every request, and the public one is told besides', async () => {
  const { requests } = await chat({})
  const basic = Buffer.from('pk-svc-local:sk-svc-local').toString('base64')
  expect(requests).toMatchObject([
    {
      headers: { authorization: `Basic ${basic}`, 'x-svc-public-key': 'pk-svc-local', 'x-svc-sdk-name': 'javascript' },
    },
  ])
})

it('alone is not enough, and the missing one is named', async () => {
  const { lines, requests, code } = await chat({ SVC_SECRET_KEY: undefined })
  expect({ requests, code }).toEqual({ requests: [], code: 0 })
  expect(lines).toEqual([expect.stringMatching(/no SVC_SECRET_KEY, so nothing is traced\. Set SVC_SECRET_KEY, or/)])
})
