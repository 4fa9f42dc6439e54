import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('without openai leaves the calls unseen', async () => {
  const { spans, code } = await chat({ SVC_INSTRUMENTATIONS: 'undici' })
  expect(code).toBe(0)
  expect(spans).toEqual([])
})

it('names what it does not know, and what it knows', async () => {
  const { lines } = await chat({ SVC_INSTRUMENTATIONS: 'openai,opanai' })
  expect(lines).toEqual([expect.stringMatching(/"opanai" is not known and is ignored\. Known: openai, .*http/)])
})
