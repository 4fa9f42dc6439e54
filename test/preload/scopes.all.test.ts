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
  it('include the nested tracer if its scope is allowed', async () => {
    // GET /chat
    // └─ answer
    //    └─ chat gpt-test
    const { trees } = await treesOf(service, 'nested.cjs', { SVC_OTEL_ALLOWED_SCOPES: 'my-tracer' })
    const answer = { name: 'answer', children: [{ name: 'chat gpt-test', children: [] }] }
    expect(trees).toEqual([{ name: 'GET /chat', children: [answer] }])
  })

  it('show every level if every scope is allowed, and close the gap of a dropped one', async () => {
    // GET /chat
    // └─ chat gpt-test
    const { trees } = await treesOf(service, 'nested.cjs', { SVC_OTEL_ALLOWED_SCOPES: HTTP })
    expect(trees).toEqual([{ name: 'GET /chat', children: [{ name: 'chat gpt-test', children: [] }] }])
  })
})
