import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type RunningApp, startApp } from './support/column.ts'

// Anyone can send a header. A client that could name a user by it would write into the session of another user.
const FORGED = {
  baggage: 'svc_user_id=evil,svc_session_id=evil,svc_tags=evil',
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
}

let app: RunningApp

const identities = () =>
  app.service.local.observations().map(({ name, userId, sessionId }) => [name, userId, sessionId])

async function forge(preload: boolean, options: object, env = {}) {
  const column = { nest: 12, adapter: 'express', node: '24.21.0', preload } as const
  app = await startApp(column, { entry: 'unclaimed.js', env: { OPTIONS: JSON.stringify(options), ...env } })
  expect((await fetch(`${app.url}/places/guards`, { headers: FORGED })).status).toBe(200)
  app.program.kill('SIGTERM')
  await app.program.ended
}

const spans = (who: string | null) => ['PlacesController.guards', 'roles', 'handler'].map((name) => [name, who, who])

describe.each([true, false])('without options (preload: %s)', (preload) => {
  beforeAll(() => forge(preload, {}))
  afterAll(() => app.close())

  it('a user in the baggage of a request is ignored', () => {
    expect(identities()).toEqual(spans(null))
  })

  it('the trace of a request is not continued by default', () => {
    const spans = app.service.local.spans()
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    expect(spans[0]?.traceId).not.toBe('a'.repeat(32))
    expect(spans.flatMap(({ links }) => links)).toEqual([expect.objectContaining({ traceId: 'a'.repeat(32) })])
  })
})

describe('with options', () => {
  afterEach(() => app.close())

  it.each([true, false])('SVC_TRUST_BAGGAGE applies to Nest requests, too (preload: %s)', async (preload) => {
    await forge(preload, {}, { SVC_TRUST_BAGGAGE: 'loopback' })
    expect(identities()).toEqual(spans('evil'))
  })

  it('trustBaggage: false wins over SVC_TRUST_BAGGAGE', async () => {
    await forge(true, { trustBaggage: false }, { SVC_TRUST_BAGGAGE: 'true' })
    expect(identities()).toEqual(spans(null))
  })

  it('a caller whose address is not trusted decides nothing', async () => {
    await forge(true, { trustBaggage: ['192.0.2.0/24'], trustTraceparent: '192.0.2.0/24' })
    expect(identities()).toEqual(spans(null))
    expect(app.service.local.spans()[0]?.traceId).not.toBe('a'.repeat(32))
  })

  it('the trace of a request is continued with trustTraceparent', async () => {
    await forge(true, { trustTraceparent: true })
    expect(new Set(app.service.local.spans().map(({ traceId }) => traceId))).toEqual(new Set(['a'.repeat(32)]))
  })

  it.each([true, false])('a user in the baggage is used with trustBaggage (preload: %s)', async (preload) => {
    await forge(preload, { trustBaggage: true })
    expect(identities()).toEqual(spans('evil'))
  })
})
