import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_CONFIG_FILE can contain a mask', async () => {
  const { spans, lines } = await chat({ SVC_CONFIG_FILE: 'env/mask.config.mjs' })
  expect(lines).toEqual([])
  expect(spans).toMatchObject([{ attributes: { 'svc.release': 'from the file' } }])
})

it('SVC_CONFIG_FILE that cannot be loaded stops all export', async () => {
  const { spans, lines, code } = await chat({ SVC_CONFIG_FILE: 'env/missing.mjs' })
  expect({ spans, code }).toEqual({ spans: [], code: 0 })
  expect(lines).toEqual([
    expect.stringMatching(/SVC_CONFIG_FILE="env\/missing\.mjs" cannot be loaded, so nothing is traced/),
  ])
})
