import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()
const DEBUG = /\[Svc SDK\] \[DEBUG\] @svc\/register sends to http:\/\/127\.0\.0\.1/

it('SVC_DEBUG=true has the same effect as SVC_LOG_LEVEL=DEBUG', async () => {
  expect((await chat({ SVC_DEBUG: 'true' })).stdout).toMatch(DEBUG)
})

it('SVC_DEBUG=false does not change the log level', async () => {
  expect((await chat({ SVC_DEBUG: 'false' })).stdout).not.toContain('[DEBUG]')
  expect((await chat({ SVC_DEBUG: 'false', SVC_LOG_LEVEL: 'DEBUG' })).stdout).toMatch(DEBUG)
})
