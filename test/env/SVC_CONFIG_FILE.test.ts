import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('gives what a variable cannot say: a mask', async () => {
  const { spans, lines } = await chat({ SVC_CONFIG_FILE: 'env/mask.config.mjs' })
  expect(lines).toEqual([])
  expect(spans).toMatchObject([{ attributes: { 'svc.release': 'from the file' } }])
})

it('that cannot be loaded keeps everything at home', async () => {
  const { spans, lines, code } = await chat({ SVC_CONFIG_FILE: 'env/missing.mjs' })
  expect({ spans, code }).toEqual({ spans: [], code: 0 })
  expect(lines).toEqual([
    expect.stringMatching(/SVC_CONFIG_FILE="env\/missing\.mjs" cannot be loaded, so nothing is traced/),
  ])
})
