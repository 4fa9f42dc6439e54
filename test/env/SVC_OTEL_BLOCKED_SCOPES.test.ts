import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_OTEL_BLOCKED_SCOPES drops a scope whatever other settings say', async () => {
  const scope = '@svc/instrumentation-openai'
  const { requests, lines } = await chat({ SVC_OTEL_BLOCKED_SCOPES: scope, SVC_OTEL_ALLOWED_SCOPES: scope })
  expect({ requests, lines }).toEqual({ requests: [], lines: [] })
})
