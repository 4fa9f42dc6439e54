import { describe, expect, it } from 'vitest'
import { exporting } from '../test/support/tracing.ts'
import { allowScopes } from './allow-scopes.ts'
import type { ShouldExportSpan } from './filter.ts'

async function exportedScopes(shouldExportSpan: ShouldExportSpan, scopes: string[]): Promise<string[]> {
  const { tracer, exported } = exporting({ shouldExportSpan })
  for (const scope of scopes) tracer(scope).startSpan('s').end()
  return (await exported()).map((span) => span.instrumentationScope.name)
}

describe('allowScopes', () => {
  it('keeps the named scopes and prefixes beside the default ones', async () => {
    const scopes = [
      'svc-sdk',
      'my-tracer',
      'my-tracer-2',
      '@arizeai/openinference-x',
      '@svc/instrumentation-openai',
      'pg',
    ]
    expect(await exportedScopes(allowScopes('my-tracer', '@arizeai/openinference-*'), scopes)).toEqual([
      'svc-sdk',
      'my-tracer',
      '@arizeai/openinference-x',
      '@svc/instrumentation-openai',
    ])
  })

  it('is the default filter without arguments', async () => {
    expect(await exportedScopes(allowScopes(), ['ai', 'my-tracer'])).toEqual(['ai'])
  })

  it('composes with a predicate', async () => {
    const llm = allowScopes('my-*')
    const wanted: ShouldExportSpan = ({ otelSpan }) =>
      llm({ otelSpan }) && otelSpan.instrumentationScope.name !== 'my-noise'
    expect(await exportedScopes(wanted, ['my-tracer', 'my-noise', 'other'])).toEqual(['my-tracer'])
  })
})
