import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('of NONE says nothing', async () => {
  const { lines } = await chat({ SVC_LOG_LEVEL: 'none', SVC_TIMEOUT: 'soon' })
  expect(lines).toEqual([])
})

it('of DEBUG says where spans go, as SVC_DEBUG does', async () => {
  for (const env of [{ SVC_LOG_LEVEL: 'debug' }, { SVC_DEBUG: 'true' }]) {
    const { stdout } = await chat(env)
    expect(stdout).toMatch(/\[Svc SDK\] \[DEBUG\] @svc\/register sends to http:\/\/127\.0\.0\.1/)
  }
})
