import { LogLevel } from '@svc/core/log'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { exporting } from '../test/support/tracing.ts'

describe('the debug log', () => {
  const log = catchLog(LogLevel.DEBUG)

  it('names each dropped span, and each scope once with the setting that keeps it', () => {
    const { tracer } = exporting()
    for (const name of ['a', 'b']) tracer('my-tracer').startSpan(name).end()
    expect(log.lines('dropped span')).toEqual([
      'svc: [DEBUG] dropped span "a" of scope "my-tracer"',
      'svc: [DEBUG] dropped span "b" of scope "my-tracer"',
    ])
    expect(log.lines('are dropped')).toEqual([
      'svc: [DEBUG] spans of scope "my-tracer" are dropped: keep them with SVC_OTEL_ALLOWED_SCOPES=my-tracer',
    ])
  })

  it('names the reason of a drop if no variable would help', () => {
    exporting({ blockedScopes: ['ai'] })
      .tracer('ai')
      .startSpan('blocked')
      .end()
    exporting({ shouldExportSpan: () => false })
      .tracer('mine')
      .startSpan('refused')
      .end()
    expect(log.lines('are dropped')).toEqual([
      'svc: [DEBUG] spans of scope "ai" are dropped: it is in SVC_OTEL_BLOCKED_SCOPES',
      'svc: [DEBUG] spans of scope "mine" are dropped: shouldExportSpan returned false',
    ])
  })

  it('shows each processed span', () => {
    exporting().tracer().startSpan('shown').end()
    expect(log.lines('processed span "shown"')).toHaveLength(1)
  })
})

describe('above debug level the log', () => {
  const log = catchLog(LogLevel.INFO)

  it('does not mention dropped spans', () => {
    exporting().tracer('my-tracer').startSpan('a').end()
    expect(log.lines()).toEqual([])
  })
})
