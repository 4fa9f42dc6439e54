import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it.each(['false', 'NO_CONTENT', 'event_only'])(
  'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=%s records models and tokens without text',
  async (value) => {
    const { spans } = await chat({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: value })
    expect(spans).toMatchObject([{ attributes: { 'gen_ai.request.model': 'gpt-test' } }])
    expect(
      Object.keys(spans[0]?.attributes ?? {}).filter((name) => /messages|instructions|definitions/.test(name)),
    ).toEqual([])
  },
)

it.each(['off', '"false"'])(
  'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=%s is invalid, and records no text either, with a warning',
  async (value) => {
    const { spans, lines } = await chat({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: value })
    expect(spans).toHaveLength(1)
    expect(Object.keys(spans[0]?.attributes ?? {}).filter((name) => /messages/.test(name))).toEqual([])
    expect(lines).toEqual([expect.stringMatching(/CAPTURE_MESSAGE_CONTENT=.* is read as false/)])
  },
)
