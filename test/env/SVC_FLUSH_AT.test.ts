import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('of 1 sends a span as soon as it ends, a larger one waits for the end of the process', async () => {
  const three = { CALLS: '3' }
  expect((await chat({ ...three, SVC_FLUSH_AT: '1' })).requests).toHaveLength(3)
  expect((await chat(three)).requests).toHaveLength(1)
})
