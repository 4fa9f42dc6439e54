import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_INSTRUMENTATIONS without openai does not record its calls', async () => {
  const { spans, code } = await chat({ SVC_INSTRUMENTATIONS: 'undici' })
  expect(code).toBe(0)
  expect(spans).toEqual([])
})

it('SVC_INSTRUMENTATIONS reports unknown names with the known ones', async () => {
  const { lines } = await chat({ SVC_INSTRUMENTATIONS: 'openai,opanai' })
  expect(lines).toEqual([expect.stringMatching(/"opanai" is not known and is ignored\. Known: openai, .*http/)])
})
