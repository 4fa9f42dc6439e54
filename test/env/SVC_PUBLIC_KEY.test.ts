import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_PUBLIC_KEY and SVC_SECRET_KEY authorize every request, and the public one is a header as well', async () => {
  const { requests } = await chat({})
  const basic = Buffer.from('pk-svc-local:sk-svc-local').toString('base64')
  expect(requests).toMatchObject([
    {
      headers: { authorization: `Basic ${basic}`, 'x-svc-public-key': 'pk-svc-local', 'x-svc-sdk-name': 'javascript' },
    },
  ])
})

it('SVC_PUBLIC_KEY alone is not enough, and the missing key is named', async () => {
  const { lines, requests, code } = await chat({ SVC_SECRET_KEY: undefined })
  expect({ requests, code }).toEqual({ requests: [], code: 0 })
  expect(lines).toEqual([expect.stringMatching(/no SVC_SECRET_KEY, so nothing is traced\. Set SVC_SECRET_KEY, or/)])
})
