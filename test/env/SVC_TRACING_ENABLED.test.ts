import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it.each(['false', 'FALSE', '0'])(
  'SVC_TRACING_ENABLED=%s sends and prints nothing, with keys or without',
  async (value) => {
    for (const keys of [{}, { SVC_PUBLIC_KEY: undefined, SVC_SECRET_KEY: undefined }]) {
      const { code, lines, requests } = await chat({ SVC_TRACING_ENABLED: value, ...keys })
      expect({ code, lines, requests }).toEqual({ code: 0, lines: [], requests: [] })
    }
  },
)

it('SVC_TRACING_ENABLED=true is the default', async () => {
  expect((await chat({ SVC_TRACING_ENABLED: 'true' })).spans).toHaveLength(1)
})

it('an invalid SVC_TRACING_ENABLED means the default, with a warning', async () => {
  const { lines, spans } = await chat({ SVC_TRACING_ENABLED: 'perhaps' })
  expect(spans).toHaveLength(1)
  expect(lines).toEqual([expect.stringContaining('SVC_TRACING_ENABLED="perhaps"')])
})
