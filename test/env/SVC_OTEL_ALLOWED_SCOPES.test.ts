import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('with a * keeps every scope that starts so', async () => {
  const { spans } = await chat({ SVC_OTEL_ALLOWED_SCOPES: '@opentelemetry/instrumentation-undici*' })
  expect(spans.map((span) => span.scope.name).sort()).toEqual([
    '@opentelemetry/instrumentation-undici',
    '@svc/instrumentation-openai',
  ])
})
