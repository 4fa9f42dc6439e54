import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_RELEASE is written on every span', async () => {
  const { spans } = await chat({ SVC_RELEASE: 'v1.2.3' })
  expect(spans.map((span) => span.attributes['svc.release'])).toEqual(['v1.2.3'])
})
