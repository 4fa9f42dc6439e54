import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT truncates attribute values', async () => {
  const { spans } = await chat({ OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '4' })
  expect(spans.map((span) => span.attributes['gen_ai.request.model'])).toEqual(['gpt-'])
})
