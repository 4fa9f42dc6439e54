import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_CONTENT_MAX_BYTES truncates long content, with a note', async () => {
  const { spans, stdout } = await chat({ SVC_CONTENT_MAX_BYTES: '2000', QUESTION: 'x'.repeat(10_000) })
  const { messages } = JSON.parse(String(spans[0]?.attributes['svc.observation.input']))
  expect(messages[0].content).toMatch(/^x{800,1000}\[truncated by svc: \d+ more characters\]$/)
  // The model was asked all of it.
  expect(stdout).toContain('xxx')
})
