import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_OTEL_ALLOWED_SCOPES with a * allows every scope with that prefix', async () => {
  const { spans } = await chat({ SVC_OTEL_ALLOWED_SCOPES: '@opentelemetry/instrumentation-undici*' })
  expect(spans.map((span) => span.scope.name).sort()).toEqual([
    '@opentelemetry/instrumentation-undici',
    '@svc/instrumentation-openai',
  ])
})
