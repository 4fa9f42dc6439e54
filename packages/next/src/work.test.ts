import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { setHost } from './host.ts'
import { runWork } from './work.ts'

const exporter = new InMemorySpanExporter()
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
afterAll(() => trace.disable())
beforeEach(() => exporter.reset())

const inputOf = (input: unknown) => {
  runWork(ROOT_CONTEXT, 'work', {}, input, () => {})
  return String(exporter.getFinishedSpans()[0]?.attributes['svc.observation.input'])
}

it('input of observed work is recorded up to SVC_CONTENT_MAX_BYTES', () => {
  expect(inputOf({ question: 'tea' })).toBe('{"question":"tea"}')
  exporter.reset()
  const long = inputOf('x'.repeat(5_000_000))
  expect(long.length).toBeLessThan(1_000_100)
  expect(long).toMatch(/\[truncated by svc: 4000000 more characters\]$/)
})

it('bytes in observed work are described by type and length', () => {
  expect(inputOf([new Uint8Array(3)])).toBe('["[Uint8Array: 3 bytes]"]')
})

it('without content nothing is captured, whatever the options say', () => {
  vi.stubEnv('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT', 'false')
  setHost({})
  runWork(ROOT_CONTEXT, 'work', { captureInput: true, captureOutput: true }, 'private', () => 'private')
  expect(JSON.stringify(exporter.getFinishedSpans()[0]?.attributes)).not.toContain('private')
  vi.unstubAllEnvs()
  setHost({})
})
