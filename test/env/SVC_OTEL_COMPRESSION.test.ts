import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('is gzip unless said otherwise', async () => {
  const { requests } = await chat({})
  expect(requests.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip'])
})

it('can be none, and beats the variables of OpenTelemetry', async () => {
  const { requests, spans } = await chat({ SVC_OTEL_COMPRESSION: ' NONE ', OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' })
  expect(requests.map(({ headers }) => headers['content-encoding'])).toEqual([undefined])
  expect(spans).toHaveLength(1)
})

it('is skipped with a line when it is no such word, and the next variable decides', async () => {
  const { requests, lines } = await chat({
    SVC_OTEL_COMPRESSION: 'brotli',
    OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'none',
  })
  expect(requests.map(({ headers }) => headers['content-encoding'])).toEqual([undefined])
  expect(lines).toEqual([expect.stringMatching(/SVC_OTEL_COMPRESSION="brotli" is ignored: expected gzip or none/)])
})
