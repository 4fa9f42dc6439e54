import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it('SVC_OTEL_COMPRESSION is gzip by default', async () => {
  const { requests } = await chat({})
  expect(requests.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip'])
})

it('SVC_OTEL_COMPRESSION can be none, and wins over the variables of OpenTelemetry', async () => {
  const { requests, spans } = await chat({ SVC_OTEL_COMPRESSION: ' NONE ', OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' })
  expect(requests.map(({ headers }) => headers['content-encoding'])).toEqual([undefined])
  expect(spans).toHaveLength(1)
})

it('an invalid SVC_OTEL_COMPRESSION is skipped with a warning, and the next variable is used', async () => {
  const { requests, lines } = await chat({
    SVC_OTEL_COMPRESSION: 'brotli',
    OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'none',
  })
  expect(requests.map(({ headers }) => headers['content-encoding'])).toEqual([undefined])
  expect(lines).toEqual([expect.stringMatching(/SVC_OTEL_COMPRESSION="brotli" is ignored: expected gzip or none/)])
})
