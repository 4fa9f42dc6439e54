import { describe, expect, it } from 'vitest'
import { occupied, refused } from './other-provider.ts'

describe('a provider that came first', () => {
  it('is named, with the remedy', () => {
    class SentryTracerProvider {}
    const api = { version: '1.10.0', trace: { getDelegate: () => new SentryTracerProvider() } }
    expect(occupied(api)).toMatch(/\(SentryTracerProvider\).*--import @svc\/register before it.*SvcSpanProcessor/)
  })

  it('is not seen where only another part of the API is in use', () => {
    expect(occupied({ version: '1.10.0' })).toBeUndefined()
    expect(occupied(undefined)).toBeUndefined()
  })

  it('may be an older API, whose version is named', () => {
    expect(refused({ version: '1.9.1' })).toMatch(/@opentelemetry\/api 1\.9\.1 was loaded first/)
  })
})
