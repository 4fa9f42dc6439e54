import { describe, expect, it } from 'vitest'
import { PRELOAD, useApps } from './apps.ts'

const { run } = useApps()

describe.each([
  ['the preload', { flags: PRELOAD, env: { SVC_TRACING_ENVIRONMENT: 'global' } }],
  ['a pipeline of the application', { flags: [], env: { MODE: 'own' } }],
])('a separate provider for observations, beside %s,', (_, options) => {
  it('receives only observations, which share traces and parents with other spans', async () => {
    const { code, stdout, lines, spans } = await run('isolated.mjs', options)
    expect({ code, lines, stdout }).toEqual({ code: 0, lines: [], stdout: 'true\ntrue\n' })
    const named = (name: string) => spans.find((span) => span.name === name)
    const [outer, ours, inner] = ['theirs', 'ours', 'theirs inside'].map(named)
    // theirs               by the global provider
    // └─ ours              by the isolated one
    //    └─ theirs inside  by the global one
    expect(Object.fromEntries(spans.map(({ name, attributes }) => [name, attributes['svc.environment']]))).toEqual({
      ours: 'isolated',
      'ours, back on the global one': 'global',
      theirs: 'global',
      'theirs inside': 'global',
    })
    expect(spans).toHaveLength(4)
    expect(outer?.parentSpanId).toBeNull()
    expect(ours).toMatchObject({ traceId: outer?.traceId, parentSpanId: outer?.spanId })
    expect(inner).toMatchObject({ traceId: outer?.traceId, parentSpanId: ours?.spanId })
  })
})
