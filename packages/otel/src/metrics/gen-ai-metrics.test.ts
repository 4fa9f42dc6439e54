import type { Attributes, MeterProvider } from '@opentelemetry/api'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../../test/support/console.ts'
import { meterProvider } from '../../test/support/meters.ts'
import { under } from '../../test/support/tracing.ts'
import { GenAiMetrics, type GenAiMetricsOptions } from './gen-ai-metrics.ts'

catchLog()

type Recorded = readonly [name: string, value: number, attributes: Attributes]

/** A tracer whose spans are counted, and what was recorded. */
function counting(options: GenAiMetricsOptions = {}) {
  const recorded: Recorded[] = []
  const instrument = (name: string) => {
    const record = (value: number, attributes: Attributes) => void recorded.push([name, value, attributes])
    return { record, add: record }
  }
  const meter = {
    createHistogram: instrument,
    createCounter: (name: string) => ({ add: instrument(name).add }),
  }
  const meterProvider = { getMeter: () => meter } as unknown as MeterProvider
  const metrics = new GenAiMetrics({ meterProvider: () => meterProvider, ...options })
  const provider = new TracerProvider({ spanProcessors: [metrics] })
  const of = (name: string) => recorded.filter(([each]) => each === name)
  return { metrics, recorded, of, tracer: (scope = 'svc-sdk') => provider.getTracer(scope) }
}

const DURATION = 'gen_ai.client.operation.duration'
const TOKENS = 'gen_ai.client.token.usage'
const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'm' }

describe('a call of a model', () => {
  it('that two layers record is counted once, with the tokens of the inner one', async () => {
    const { metrics, of, tracer } = counting()
    const outer = tracer('@svc/langchain').startSpan('chat m', { attributes: chat })
    const usage = { 'svc.observation.usage_details': '{"input":4,"input_cached_tokens":3,"output":5,"total":12}' }
    tracer()
      .startSpan('chat m', { attributes: { ...chat, ...usage } }, under(outer, ROOT_CONTEXT))
      .end()
    outer.end()
    await metrics.forceFlush()
    expect(of(DURATION)).toHaveLength(1)
    expect(of(TOKENS).map(([, value, attributes]) => [attributes['gen_ai.token.type'], value])).toEqual([
      ['input', 7],
      ['output', 5],
    ])
  })

  it('whose vendor counts audio apart has it as a modality of its own; the rest may be any', () => {
    const { recorded, tracer } = counting({ latest: true })
    const counts = { input: 4, input_audio_tokens: 6, input_cached_tokens: 2, output_audio_tokens: 5, total: 17 }
    const attributes = { ...chat, 'svc.observation.usage_details': JSON.stringify(counts) }
    tracer().startSpan('chat m', { attributes }).end()
    const usage = recorded.flatMap(([name, value, { 'gen_ai.token.modality': modality }]) =>
      modality ? [[name.replace('gen_ai.client.inference.usage.', ''), modality, value]] : [],
    )
    expect(usage).toEqual([
      ['input_tokens', 'audio', 6],
      ['input_tokens', 'unknown', 6],
      ['output_tokens', 'audio', 5],
      ['cache_read.input_tokens', 'unknown', 2],
    ])
  })

  it('whose request this process serves is counted by the call that is made for it', () => {
    const { of, tracer } = counting()
    const outer = tracer().startSpan('chat m', { attributes: chat })
    const request = tracer('@svc/register').startSpan('POST', { kind: SpanKind.SERVER }, under(outer, ROOT_CONTEXT))
    const inner = tracer().startSpan('chat n', { attributes: { ...chat, 'gen_ai.request.model': 'n' } }, under(request))
    for (const span of [inner, request, outer]) span.end()
    expect(of(DURATION).map(([, , attributes]) => attributes['gen_ai.request.model'])).toEqual(['n'])
  })

  it('of another instrumentation is counted by its own words', () => {
    const { of, tracer } = counting()
    const attributes = { 'openinference.span.kind': 'LLM', 'llm.model_name': 'm', 'llm.token_count.prompt': 2 }
    tracer('openinference.x').startSpan('call', { attributes }).end()
    const embedding = { 'ai.operationId': 'ai.embed.doEmbed', 'ai.model.provider': 'google.x', 'ai.usage.tokens': 3 }
    tracer('ai').startSpan('ai.embed.doEmbed', { attributes: embedding }).end()
    expect(of(TOKENS).map(([, value, each]) => [value, each['gen_ai.provider.name']])).toEqual([
      [2, '_OTHER'],
      [3, 'gcp.gemini'],
    ])
  })

  it('that failed has the type of its exception, or _OTHER', () => {
    const { of, tracer } = counting()
    const thrown = tracer().startSpan('chat', { attributes: chat })
    thrown.recordException(new TypeError('no'))
    thrown.setStatus({ code: SpanStatusCode.ERROR })
    thrown.end()
    tracer()
      .startSpan('chat', { attributes: { ...chat, 'svc.observation.level': 'ERROR' } })
      .end()
    tracer().startSpan('chat', { attributes: chat }).end()
    expect(of(DURATION).map(([, , attributes]) => attributes['error.type'])).toEqual(['TypeError', '_OTHER', undefined])
  })

  it('has its service tier, and nothing of who asked', () => {
    const { recorded, tracer } = counting()
    const more = { 'user.id': 'ada', 'session.id': 's', 'svc.observation.model.parameters': '{"service_tier":"flex"}' }
    tracer()
      .startSpan('chat', { attributes: { ...chat, ...more } })
      .end()
    expect(recorded.map(([, , attributes]) => attributes)).toEqual([
      { ...chat, 'openai.response.service_tier': 'flex' },
    ])
  })

  it('whose attributes are no JSON is counted without what they say', () => {
    const { recorded, tracer } = counting()
    const more = {
      'svc.observation.usage_details': 'many',
      'svc.observation.cost_details': '{',
      'svc.observation.model.parameters': 'x',
    }
    tracer()
      .startSpan('chat', { attributes: { ...chat, ...more } })
      .end()
    expect(recorded.map(([name]) => name)).toEqual([DURATION])
  })
})

describe('what is counted', () => {
  it('are MCP requests by their end, and no spans of infrastructure or of blocked scopes', () => {
    const { recorded, tracer } = counting({ blockedScopes: ['blocked'] })
    const attributes = { ...chat, 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 't', 'mcp.resource.uri': 'x' }
    tracer().startSpan('tools/call t', { kind: SpanKind.SERVER, attributes }).end()
    tracer('blocked').startSpan('chat', { attributes: chat }).end()
    tracer('http').startSpan('GET').end()
    expect(recorded.map(([name, , each]) => [name, each])).toEqual([
      [
        'mcp.server.operation.duration',
        { 'mcp.method.name': 'tools/call', 'gen_ai.operation.name': 'chat', 'gen_ai.tool.name': 't' },
      ],
    ])
  })

  it('has no more than 200 values of an attribute, and none that is long', () => {
    const { of, tracer } = counting()
    const modelsOf = (suffix: string) => {
      for (let at = 0; at < 1_000; at++)
        tracer()
          .startSpan('chat', { attributes: { ...chat, 'gen_ai.request.model': `${at}${suffix}` } })
          .end()
      return new Set(of(DURATION).map(([, , attributes]) => attributes['gen_ai.request.model']))
    }
    expect(modelsOf('x'.repeat(100_000))).toEqual(new Set(['_OTHER']))
    expect(modelsOf('').size).toBe(201)
    expect(of(DURATION)).toHaveLength(2_000)
  })

  it('adds up under the limit that OpenTelemetry has for the time series of a metric', async () => {
    const { provider, collected } = meterProvider()
    const { tracer } = counting({ meterProvider: () => provider })
    for (let at = 0; at < 4_000; at++) {
      const models = { 'gen_ai.request.model': `q${at % 64}`, 'gen_ai.response.model': `a${Math.floor(at / 64)}` }
      tracer()
        .startSpan('chat', { attributes: { ...chat, ...models } })
        .end()
    }
    const [scope] = await collected()
    const points = scope?.metrics.find(({ descriptor }) => descriptor.name === DURATION)?.dataPoints ?? []
    const counts = points.map(({ value }) => (value as unknown as { readonly count: number }).count)
    expect([points.length, counts.reduce((sum, count) => sum + count, 0)]).toEqual([2_000, 4_000])
  })
})
