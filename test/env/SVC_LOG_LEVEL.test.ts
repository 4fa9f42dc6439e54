import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_LOG_LEVEL=NONE prints nothing', async () => {
  const { lines } = await chat({ SVC_LOG_LEVEL: 'none', SVC_TIMEOUT: 'soon' })
  expect(lines).toEqual([])
})

it('SVC_LOG_LEVEL=DEBUG prints where spans are sent, like SVC_DEBUG', async () => {
  for (const env of [{ SVC_LOG_LEVEL: 'debug' }, { SVC_DEBUG: 'true' }]) {
    const { stdout } = await chat(env)
    expect(stdout).toMatch(/\[Svc SDK\] \[DEBUG\] @svc\/register sends to http:\/\/127\.0\.0\.1/)
  }
})
