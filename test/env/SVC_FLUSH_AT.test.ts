import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_FLUSH_AT=1 sends a span as soon as it ends, and a larger number batches spans', async () => {
  const three = { CALLS: '3' }
  expect((await chat({ ...three, SVC_FLUSH_AT: '1' })).requests).toHaveLength(3)
  expect((await chat(three)).requests).toHaveLength(1)
})
