import { describe, expect, it } from 'vitest'
import { countOf, named, RELEASED, useCounted } from './counted.ts'

const { exported } = useCounted()

describe('SVC_GENAI_METRICS', () => {
  it('SVC_GENAI_METRICS=true exports over OTLP at the end of the process, with error.type and the buckets of the conventions', async () => {
    const { all } = await exported({}, 'counted')
    for (const [name, count] of Object.entries(RELEASED)) expect([name, countOf(all, name)]).toEqual([name, count])
    const failed = all.filter(({ attributes }) => attributes['error.type'])
    expect(
      failed.map(({ name, attributes }) => [name, attributes['gen_ai.request.model'], attributes['error.type']]),
    ).toEqual([['gen_ai.client.operation.duration', 'error-429', 'RateLimitError']])
    expect(named(all, 'svc.client.cost').map(({ sum }) => sum)).toEqual([0.25])
    const [duration] = named(all, 'gen_ai.client.operation.duration')
    expect(duration).toMatchObject({ unit: 's', scope: '@svc/otel' })
    expect(duration?.boundaries).toEqual([
      ...[0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
    ])
    const names = new Set(all.flatMap(({ attributes }) => Object.keys(attributes)))
    expect([...names].filter((name) => /user|session|conversation/.test(name))).toEqual([])
  })

  it('says what to install, or to set, where nothing can be counted', async () => {
    const { stderr } = await exported({ OTEL_METRICS_EXPORTER: 'none' }, 'nowhere')
    expect(stderr).toMatch(/GenAI metrics are not counted: there is no meter provider\. Set OTEL_METRICS_EXPORTER=/)
  })

  it('is off by default: nothing of it is loaded or exported', async () => {
    const { all } = await exported({ SVC_GENAI_METRICS: '' }, 'off')
    expect(all).toEqual([])
  })
})
