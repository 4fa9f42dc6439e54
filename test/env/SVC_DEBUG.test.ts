import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()
const DEBUG = /\[Svc SDK\] \[DEBUG\] @svc\/register sends to http:\/\/127\.0\.0\.1/

it('of true says what SVC_LOG_LEVEL=DEBUG says', async () => {
  expect((await chat({ SVC_DEBUG: 'true' })).stdout).toMatch(DEBUG)
})

it('of false leaves the level as it is', async () => {
  expect((await chat({ SVC_DEBUG: 'false' })).stdout).not.toContain('[DEBUG]')
  expect((await chat({ SVC_DEBUG: 'false', SVC_LOG_LEVEL: 'DEBUG' })).stdout).toMatch(DEBUG)
})
