import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it.each(['SVC_DISABLED_INSTRUMENTATIONS', 'OTEL_NODE_DISABLED_INSTRUMENTATIONS'])(
  'SVC_DISABLED_INSTRUMENTATIONS=%s disables the openai instrumentation',
  async (name) => {
    const { spans, lines } = await chat({ [name]: 'openai' })
    expect(spans).toEqual([])
    expect(lines).toEqual([])
  },
)
