import { environmentOf } from '@svc/core/environment'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { exporting } from '../test/support/tracing.ts'
import type { SvcSpanProcessorParams } from './params.ts'

async function exportedScopes(params: SvcSpanProcessorParams, scopes: string[]): Promise<string[]> {
  const { tracer, exported } = exporting(params)
  for (const scope of scopes) tracer(scope).startSpan('s').end()
  return (await exported()).map((span) => span.instrumentationScope.name)
}

const SCOPES = ['svc-sdk', '@svc/instrumentation-openai', 'ai', 'my-tracer', 'my-tracer-2', 'pg']

const { lines } = catchLog()

describe('the export decision', () => {
  it.each<[variables: Record<string, string>, scopes: string[]]>([
    [{}, ['svc-sdk', '@svc/instrumentation-openai', 'ai']],
    [{ SVC_OTEL_ALLOWED_SCOPES: 'my-tracer' }, ['svc-sdk', '@svc/instrumentation-openai', 'ai', 'my-tracer']],
    [{ SVC_OTEL_ALLOWED_SCOPES: 'my-*, pg' }, SCOPES],
    [{ SVC_OTEL_ALLOWED_SCOPES: '*' }, SCOPES],
    [{ SVC_OTEL_BLOCKED_SCOPES: 'ai,@svc/*' }, ['svc-sdk']],
    [{ SVC_OTEL_ALLOWED_SCOPES: 'my-*', SVC_OTEL_BLOCKED_SCOPES: 'my-tracer-2,svc-sdk,@svc/*,ai' }, ['my-tracer']],
  ])('is as expected for %j', async (variables, scopes) => {
    expect(await exportedScopes({ env: environmentOf(variables) }, SCOPES)).toEqual(scopes)
  })

  it.each([
    { 'llm.request.type': 'chat' },
    { 'openinference.span.kind': 'LLM' },
    { 'svc.observation.type': 'generation' },
  ])('drops a span of an unknown scope that only looks like a model call: %j', async (attributes) => {
    const { tracer, exported } = exporting()
    tracer('my-tracer').startSpan('s', { attributes }).end()
    expect(await exported()).toEqual([])
  })

  it('of a predicate replaces the default filter and the allowed scopes', async () => {
    const env = environmentOf({ SVC_OTEL_ALLOWED_SCOPES: 'my-tracer' })
    const shouldExportSpan = ({ otelSpan }: { otelSpan: { instrumentationScope: { name: string } } }) =>
      otelSpan.instrumentationScope.name === 'pg'
    expect(await exportedScopes({ env, shouldExportSpan }, SCOPES)).toEqual(['pg'])
  })

  it('drops a blocked scope whatever the predicate returns', async () => {
    const env = environmentOf({ SVC_OTEL_BLOCKED_SCOPES: 'pg' })
    expect(await exportedScopes({ env, shouldExportSpan: () => true }, ['ai', 'pg'])).toEqual(['ai'])
  })

  it.each([
    ['ai', true],
    ['ai,@svc/instrumentation-*', true],
    ['ai,my-tracer', false],
    ['ai*', false],
  ])('for SVC_OTEL_ALLOWED_SCOPES=%s that leaves nothing out is told of: %s', (scopes, isTold) => {
    exporting({ env: environmentOf({ SVC_OTEL_ALLOWED_SCOPES: scopes }) })
    expect(lines('SCOPES adds nothing')).toEqual(isTold ? [expect.any(String)] : [])
  })

  it('of a predicate that drops everything is told of once', () => {
    const { tracer } = exporting({ shouldExportSpan: () => false })
    for (let count = 0; count < 200; count++)
      tracer(count < 100 ? 'pg' : 'ai')
        .startSpan('s')
        .end()
    expect(lines('returned false')).toEqual([
      expect.stringContaining('shouldExportSpan returned false for each of the first 50 spans'),
    ])
  })

  it('of a predicate that keeps some is not', () => {
    const { tracer } = exporting({ shouldExportSpan: ({ otelSpan }) => otelSpan.name === '9' })
    for (let count = 0; count < 200; count++) tracer('ai').startSpan(`${count}`).end()
    expect(lines('returned false')).toEqual([])
  })
})
