import { INVALID_SPAN_CONTEXT, type Tracer, trace } from '@opentelemetry/api'
import { claimRuntime, releaseRuntime } from '@svc/core/registry'
import { afterEach, describe, expect, it } from 'vitest'
import { configure } from '../gen-ai/configure.ts'
import { defaults } from './telemetry-5-6.ts'

afterEach(() => configure({}))

describe('a call of the AI SDK 5 or 6', () => {
  it('has spans of ours alone, unless it asks for spans', () => {
    const tracerOf = (provider: string): Tracer => ({
      startSpan: () => trace.wrapSpanContext({ ...INVALID_SPAN_CONTEXT, spanId: provider }),
      startActiveSpan: () => undefined as never,
    })
    claimRuntime({
      owner: 'a test',
      attach() {},
      forceFlush: async () => {},
      shutdown: async () => {},
      getTracer: () => tracerOf('ours'),
    })
    const spans = [undefined, { functionId: 'f' }, { isEnabled: true }].map((telemetry) =>
      defaults.tracer(tracerOf('found'), telemetry).startSpan('any'),
    )
    releaseRuntime()
    expect(spans.map((span) => span.spanContext().spanId)).toEqual(['ours', 'ours', 'found'])
  })

  it('is recorded completely by default', () => {
    expect(defaults.settle({ telemetry: undefined, attributes: { a: 1 } })).toEqual({
      telemetry: { isEnabled: true },
      attributes: { a: 1 },
    })
  })

  it.each([{ isEnabled: false }, { isEnabled: true, tracer: {} }])('is recorded as %j says', (telemetry) => {
    const given = { telemetry, attributes: { 'ai.embedding': { output: () => '[1]' } } }
    expect(defaults.settle(given)).toEqual(given)
  })

  it("is settled as it asks where its spans are another provider's", () => {
    claimRuntime({
      owner: 'a test',
      attach() {},
      forceFlush: async () => {},
      shutdown: async () => {},
      hasHost: () => true,
    })
    configure({ captureContent: false })
    const given = { telemetry: { isEnabled: true }, attributes: { 'ai.embedding': { output: () => '[1]' } } }
    const settled = defaults.settle(given)
    releaseRuntime()
    expect(settled).toEqual(given)
  })

  it('is recorded without content if content is switched off, whatever its options', () => {
    configure({ captureContent: false })
    const { telemetry } = defaults.settle({ telemetry: { isEnabled: true, recordInputs: true }, attributes: {} })
    expect(telemetry).toEqual({ isEnabled: true, recordInputs: false, recordOutputs: false })
  })

  it('is recorded without vectors, files and headers', () => {
    const output = () => '[1, 2]'
    const attributes = {
      'ai.embedding': { output },
      'ai.embeddings': { output },
      'ai.response.files': { output },
      'ai.request.headers.authorization': 'Bearer sk-not-to-be-seen',
    }
    expect(defaults.settle({ telemetry: undefined, attributes }).attributes).toEqual({})
  })

  it('is recorded with its seed', () => {
    const attributes = { 'ai.settings.seed': 7 }
    expect(defaults.settle({ telemetry: undefined, attributes }).attributes).toEqual({
      ...attributes,
      'svc.observation.model.parameters': '{"seed":7}',
    })
  })

  it('is recorded with each token count once', () => {
    const usage = { 'ai.usage.inputTokens': 9, 'ai.usage.cachedInputTokens': 4 }
    const of = (attributes: object) => defaults.settle({ telemetry: undefined, attributes }).attributes
    expect(of(usage)).toEqual({})
    expect(of({ ...usage, 'gen_ai.usage.input_tokens': 9 })).toEqual({
      ...usage,
      'gen_ai.usage.input_tokens': 9,
      'gen_ai.usage.cache_read.input_tokens': 4,
    })
  })
})
