import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_TRACING_ENVIRONMENT is written on every span in lower case', async () => {
  const { spans, lines } = await chat({ SVC_TRACING_ENVIRONMENT: 'Staging' })
  expect(spans.map((span) => span.attributes['svc.environment'])).toEqual(['staging'])
  expect(lines).toEqual([])
})
