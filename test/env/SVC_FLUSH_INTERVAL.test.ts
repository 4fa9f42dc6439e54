import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_FLUSH_INTERVAL is the maximum delay of a span in seconds', async () => {
  const { requests, spans } = await chat({ CALLS: '2', PAUSE: '300', SVC_FLUSH_INTERVAL: '0.05' })
  expect(requests).toHaveLength(2)
  expect(spans).toHaveLength(2)
})
