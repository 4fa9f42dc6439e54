import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES are resource attributes of spans', async () => {
  const { spans } = await chat({
    OTEL_SERVICE_NAME: 'shop',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,team=a%20b',
  })
  expect(spans).toMatchObject([{ resource: { attributes: { 'service.name': 'shop', team: 'a b' } } }])
})
