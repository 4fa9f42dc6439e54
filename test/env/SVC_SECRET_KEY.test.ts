import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_SECRET_KEY is never printed, whatever is wrong with it', async () => {
  const secret = 'sk-svc-0123456789-do-not-show'
  for (const env of [{}, { SVC_PUBLIC_KEY: undefined }, { SVC_BASE_URL: 'nonsense' }, { SVC_LOG_LEVEL: 'DEBUG' }]) {
    const { stdout, stderr } = await chat({ SVC_SECRET_KEY: secret, ...env })
    expect(stdout + stderr).not.toContain('do-not-show')
  }
})

it('SVC_SECRET_KEY that the service refuses is reported, and the application runs', async () => {
  const { code, stdout, lines } = await chat({ SVC_SECRET_KEY: 'sk-svc-of-another-project' })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /) })
  expect(lines).toEqual([expect.stringContaining('SVC_SECRET_KEY')])
})
