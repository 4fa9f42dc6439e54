import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it.each(['SVC_DISABLED_INSTRUMENTATIONS', 'OTEL_NODE_DISABLED_INSTRUMENTATIONS'])(
  '%s switches openai off',
  async (name) => {
    const { spans, lines } = await chat({ [name]: 'openai' })
    expect(spans).toEqual([])
    expect(lines).toEqual([])
  },
)
