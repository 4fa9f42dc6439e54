import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { exporting } from '../test/support/tracing.ts'
import { isDefaultExportSpan, isGenAISpan, isKnownLLMInstrumentor, isSvcSpan } from './filter.ts'

const { provider } = exporting()
const spanOf = (scope: string, attributes = {}) =>
  provider.getTracer(scope).startSpan('s', { attributes }) as unknown as ReadableSpan

describe('isDefaultExportSpan', () => {
  it.each<[scope: string, attributes: Record<string, string>, exported: boolean]>([
    ['svc-sdk', {}, true],
    ['svc-sdk.other', {}, true],
    ['svc-sdk2', {}, false],
    ['ai', {}, true],
    ['ai.something', {}, false],
    ['openinference', {}, true],
    ['genkit-tracer', {}, true],
    ['@mastra/otel-bridge', {}, true],
    ['@mastra/other', {}, false],
    ['openinference.instrumentation.x', {}, true],
    ['openinference2.x', {}, false],
    ['opentelemetry.instrumentation.openai', {}, true],
    ['opentelemetry.instrumentation.openai.v1', {}, true],
    ['opentelemetry.instrumentation.openai_v2', {}, true],
    ['opentelemetry.instrumentation.openai_v3', {}, false],
    ['opentelemetry.instrumentation.requests', {}, false],
    ['strands-agents', {}, true],
    ['vllm', {}, true],
    ['@arizeai/openinference-instrumentation-openai', {}, false],
    ['@opentelemetry/instrumentation-http', {}, false],
    ['next.js', {}, false],
    ['my-tracer', {}, false],
    ['my-tracer', { 'gen_ai.request.model': 'm' }, true],
    ['@opentelemetry/instrumentation-http', { 'gen_ai.system': 'x' }, true],
    ['my-tracer', { gen_ai: 'x' }, false],
    ['my-tracer', { gen_ainx: 'x' }, false],
    ['', {}, false],
  ])('scope "%s" with %j: %s', (scope, attributes, exported) => {
    expect(isDefaultExportSpan(spanOf(scope, attributes))).toBe(exported)
  })

  it('takes what shouldExportSpan receives, as each of its parts does', () => {
    const otelSpan = spanOf('svc-sdk', { 'gen_ai.system': 'x' })
    const parts = [isDefaultExportSpan, isSvcSpan, isGenAISpan, isKnownLLMInstrumentor]
    expect(parts.map((part) => part({ otelSpan }))).toEqual([true, true, true, true])
    expect(parts.map((part) => part({ otelSpan: spanOf('pg') }))).toEqual([false, false, false, false])
  })

  it('consists of three predicates', () => {
    expect(isSvcSpan(spanOf('svc-sdk'))).toBe(true)
    expect(isSvcSpan(spanOf('svc-sdk.other'))).toBe(false)
    expect(isGenAISpan(spanOf('x', { 'gen_ai.usage.input_tokens': 1 }))).toBe(true)
    expect(isGenAISpan(spanOf('svc-sdk'))).toBe(false)
    expect(isKnownLLMInstrumentor(spanOf('langsmith'))).toBe(true)
    expect(isKnownLLMInstrumentor(spanOf('x', { 'gen_ai.system': 'x' }))).toBe(false)
  })

  it('accepts third-party spans without attributes and scope', () => {
    expect(isDefaultExportSpan({} as ReadableSpan)).toBe(false)
  })
})
