import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { treesOf } from './trees.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const HTTP = '@opentelemetry/instrumentation-http'

describe('HTTP, Express and a nested tracer around a model call', () => {
  it('leave only the model call below the request, and are named at debug level with the setting that keeps each', async () => {
    // GET /chat
    // └─ chat gpt-test
    const { trees, printed } = await treesOf(service, 'nested.cjs', { SVC_LOG_LEVEL: 'DEBUG' })
    expect(trees).toEqual([{ name: 'GET /chat', children: [{ name: 'chat gpt-test', children: [] }] }])
    for (const scope of ['my-tracer', HTTP, '@opentelemetry/instrumentation-express']) {
      expect(printed.match(new RegExp(`SVC_OTEL_ALLOWED_SCOPES=${scope}\\b`, 'g')), scope).toHaveLength(1)
    }
  })
})

describe('an infrastructure scope that is allowed', () => {
  it('is enabled from the catalogue, also for import', async () => {
    // POST
    // ├─ chat gpt-test
    // └─ chat gpt-test
    const { trees, printed } = await treesOf(service, 'server.mjs', { SVC_OTEL_ALLOWED_SCOPES: HTTP })
    expect(printed).not.toMatch(/warn/i)
    const chat = { name: 'chat gpt-test', children: [] }
    expect(trees).toEqual([{ name: 'POST', children: expect.arrayContaining([chat, chat]) }])
  })
})

describe('SVC_HTTP_ROOT beside the HTTP instrumentation of the catalogue', () => {
  it('creates the root if that is muted, and reports that it does not if that is kept', async () => {
    const chat = { name: 'chat gpt-test', children: [] }
    const muted = await treesOf(service, 'server.mjs', { SVC_HTTP_ROOT: 'true', SVC_INSTRUMENTATIONS: 'openai,http' })
    expect(muted.trees).toEqual([{ name: 'POST /chat', children: [chat, chat] }])
    expect(muted.printed).not.toContain('SVC_HTTP_ROOT')
    const kept = await treesOf(service, 'server.mjs', { SVC_HTTP_ROOT: 'true', SVC_OTEL_ALLOWED_SCOPES: HTTP })
    expect(kept.trees).toEqual([{ name: 'POST', children: [chat, chat] }])
    expect(kept.printed).toContain('SVC_HTTP_ROOT has no effect')
  })
})
