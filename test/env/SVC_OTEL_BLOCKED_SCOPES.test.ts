import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('drops a scope whatever else is said', async () => {
  const scope = '@svc/instrumentation-openai'
  const { requests, lines } = await chat({ SVC_OTEL_BLOCKED_SCOPES: scope, SVC_OTEL_ALLOWED_SCOPES: scope })
  expect({ requests, lines }).toEqual({ requests: [], lines: [] })
})
