import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('OTEL_PROPAGATORS reports unknown names and uses the others', async () => {
  const { lines, spans } = await chat({ OTEL_PROPAGATORS: 'tracecontext,carrier-pigeon' })
  expect(lines).toEqual([expect.stringMatching(/OTEL_PROPAGATORS="carrier-pigeon" is ignored: expected tracecontext/)])
  expect(spans).toHaveLength(1)
})
