import { createRequire } from 'node:module'
import { DiagLogLevel, diag, type TracerProvider, trace } from '@opentelemetry/api'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { occupied, reportAdditionalProviders } from './other-provider.ts'
import { refused } from './provider-lines.ts'

class TheirProvider implements TracerProvider {
  getTracer = () => trace.getTracer('theirs')
}

describe('a tracer provider that was registered before', () => {
  it('is named with the remedy', () => {
    const api = { version: '1.10.0', trace: { getDelegate: () => new TheirProvider() } }
    expect(occupied(api)).toMatch(/\(TheirProvider\).*Put --import @svc\/register before it/)
  })

  it("is recognized as Sentry's, also if a bundler removed its name", () => {
    // What a minifier leaves of a class.
    const provider = new (class {})()
    const api = { version: '1.10.0', trace: { getDelegate: () => provider } }
    expect(occupied(api)).toMatch(/\(of an unknown kind\)/)
    const getClient = () => ({ traceProvider: provider })
    vi.stubGlobal('__SENTRY__', { version: '10.78.0', '10.78.0': { defaultCurrentScope: { getClient } } })
    expect(occupied(api)).toMatch(/\(of Sentry\).*Say skipOpenTelemetrySetup: true .*enableOpenTelemetrySetup: false/)
    vi.unstubAllGlobals()
  })

  it('is not reported if only another part of the API is registered', () => {
    expect(occupied({ version: '1.10.0' })).toBeUndefined()
    expect(occupied(undefined)).toBeUndefined()
  })

  it('may be in an older API, whose version is named', () => {
    expect(refused({ version: '1.9.1' })).toMatch(/@opentelemetry\/api 1\.9\.1 was loaded first/)
  })
})

describe('a tracer provider that is registered later', () => {
  afterEach(() => trace.disable())

  it('is named with the remedy, and refused', () => {
    trace.setGlobalTracerProvider(new TheirProvider())
    const lines: string[] = []
    const stop = reportAdditionalProviders((line) => void lines.push(line))
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

  it("is detected in another copy of the API, and recognized as Sentry's", async () => {
    const require = createRequire(import.meta.url)
    for (const path of Object.keys(require.cache)) if (path.includes('@opentelemetry/api/')) delete require.cache[path]
    const { trace: copy } = require('@opentelemetry/api')
    expect(copy).not.toBe(trace)
    for (const [version, options, isSentry] of [
      ['10.78.0', {}, true],
      ['10.78.0', { skipOpenTelemetrySetup: true }, false],
      ['11.0.0', {}, false],
      ['11.0.0', { enableOpenTelemetrySetup: true }, true],
    ] as const) {
      const getClient = () => ({ getOptions: () => options })
      vi.stubGlobal('__SENTRY__', { version, [version]: { defaultCurrentScope: { getClient } } })
      trace.setGlobalTracerProvider(new TheirProvider())
      const lines: string[] = []
      const stop = reportAdditionalProviders((line) => void lines.push(line))
      for (const _ of [1, 2]) expect(copy.setGlobalTracerProvider(new TheirProvider())).toBe(false)
      await Promise.resolve()
      expect(lines).toEqual([
        expect.stringMatching(
          isSentry ? /^Sentry was started after svc/ : /\(of an unknown kind\) was registered after svc/,
        ),
      ])
      stop()
      trace.disable()
    }
    vi.unstubAllGlobals()
  })

  it('does not change an existing diagnostics logger', () => {
    const warnings: string[] = []
    const logger = { error: (line: string) => warnings.push(line), warn() {}, info() {}, debug() {}, verbose() {} }
    diag.setLogger(logger, DiagLogLevel.ERROR)
    trace.setGlobalTracerProvider(new TheirProvider())
    const stop = reportAdditionalProviders(() => {})
    trace.setGlobalTracerProvider(new TheirProvider())
    expect(warnings).toEqual([expect.stringContaining('duplicate registration')])
    stop()
    trace.setGlobalTracerProvider(new TheirProvider())
    expect(warnings).toHaveLength(2)
    diag.disable()
  })

  it('in place of ours, which was removed, is named with the remedy', () => {
    const ours = new TheirProvider()
    trace.setGlobalTracerProvider(ours)
    const lines: string[] = []
    const stop = reportAdditionalProviders((line) => void lines.push(line))
    trace.disable()
    trace.setGlobalTracerProvider(ours)
    expect(lines).toEqual([])
    trace.disable()
    expect(trace.setGlobalTracerProvider(new TheirProvider())).toBe(true)
    stop()
    expect(lines).toEqual([expect.stringMatching(/\(TheirProvider\) was registered in place .*new SvcSpanProcessor/)])
  })

  it('is not named if it is accepted', () => {
    const lines: string[] = []
    const stop = reportAdditionalProviders((line) => void lines.push(line))
    expect(trace.setGlobalTracerProvider(new TheirProvider())).toBe(true)
    stop()
    expect(lines).toEqual([])
  })
})
