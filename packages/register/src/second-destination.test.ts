import { afterEach, describe, expect, it, vi } from 'vitest'
import { hasSecondDestination, standardSpanProcessors } from './second-destination.ts'

const none = { tracesExporter: [], otlpEndpoint: undefined, baseUrl: 'https://svc.example' }

describe('a second destination', () => {
  it.each([
    [{}, false],
    [{ tracesExporter: ['console'] }, true],
    [{ tracesExporter: ['otlp'] }, true],
    [{ otlpEndpoint: 'http://collector:4318' }, true],
    [{ otlpEndpoint: 'http://collector:4318', tracesExporter: ['none'] }, false],
    [{ otlpEndpoint: 'https://svc.example/api/public/otel' }, false],
    [{ otlpEndpoint: 'https://svc.example/api/public/otel', tracesExporter: ['console'] }, true],
    [{ otlpEndpoint: 'https://svc.example/api/public/otel', baseUrl: undefined }, true],
  ])('given %j is %s', (said, expected) => {
    expect(hasSecondDestination({ ...none, ...said }, () => {})).toBe(expected)
  })

  it('that is the service itself is told, with the remedy', () => {
    const lines: string[] = []
    hasSecondDestination({ ...none, otlpEndpoint: 'https://svc.example/api/public/otel' }, (line) => lines.push(line))
    expect(lines).toEqual([expect.stringMatching(/OTEL_EXPORTER_OTLP_ENDPOINT is svc itself.*Unset it/)])
  })
})

describe('the span processors of sdk-node', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('are where we look for them', () => {
    vi.stubEnv('OTEL_TRACES_EXPORTER', 'console,otlp')
    const names = standardSpanProcessors().map((processor) => processor.constructor.name)
    expect(names).toEqual(['SimpleSpanProcessor', 'BatchSpanProcessor'])
  })
})
