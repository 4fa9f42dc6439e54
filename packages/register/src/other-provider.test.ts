import { type TracerProvider, trace } from '@opentelemetry/api'
import { afterEach, describe, expect, it } from 'vitest'
import { occupied, refused, reportLateProviders } from './other-provider.ts'

class TheirProvider implements TracerProvider {
  getTracer = () => trace.getTracer('theirs')
}

describe('a provider that came first', () => {
  it('is named, with the remedy', () => {
    class SentryTracerProvider {}
    const api = { version: '1.10.0', trace: { getDelegate: () => new SentryTracerProvider() } }
    expect(occupied(api)).toMatch(/\(SentryTracerProvider\).*skipOpenTelemetrySetup: true in Sentry.init/)
  })

  it('is not seen where only another part of the API is in use', () => {
    expect(occupied({ version: '1.10.0' })).toBeUndefined()
    expect(occupied(undefined)).toBeUndefined()
  })

  it('may be an older API, whose version is named', () => {
    expect(refused({ version: '1.9.1' })).toMatch(/@opentelemetry\/api 1\.9\.1 was loaded first/)
  })
})

describe('a provider that comes after ours', () => {
  afterEach(() => trace.disable())

  it('is named, with the remedy, and is refused as before', () => {
    trace.setGlobalTracerProvider(new TheirProvider())
    const lines: string[] = []
    const stop = reportLateProviders((line) => void lines.push(line))
    expect(trace.setGlobalTracerProvider(new TheirProvider())).toBe(false)
    expect(lines).toEqual([
      expect.stringMatching(
        /\(TheirProvider\) was registered after svc.*OTEL_EXPORTER_OTLP_ENDPOINT.*SvcSpanProcessor/,
      ),
    ])
    stop()
    trace.setGlobalTracerProvider(new TheirProvider())
    expect(lines).toHaveLength(1)
  })

  it('is not named where it gets its place', () => {
    const lines: string[] = []
    const stop = reportLateProviders((line) => void lines.push(line))
    expect(trace.setGlobalTracerProvider(new TheirProvider())).toBe(true)
    stop()
    expect(lines).toEqual([])
  })
})
