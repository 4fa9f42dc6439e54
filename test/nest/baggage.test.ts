import { afterEach, expect, it } from 'vitest'
import { type RunningApp, startApp } from './support/column.ts'

// Anyone can send a header. Whoever could name a user by it would read along, or write into somebody's session.
const FORGED = {
  baggage: 'svc_user_id=evil,svc_session_id=evil,svc_tags=evil',
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
}

let app: RunningApp
afterEach(() => app?.close())

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

it.each([true, false])('a user in the baggage of a request is nobody (preload: %s)', async (preload) => {
  await forge(preload, {})
  expect(identities()).toEqual(spans(null))
})

it('SVC_TRUST_BAGGAGE=true does not speak for the whole world', async () => {
  await forge(true, {}, { SVC_TRUST_BAGGAGE: 'true' })
  expect(identities()).toEqual(spans(null))
})

it.each([true, false])('with trustBaggage it is the user (preload: %s)', async (preload) => {
  await forge(preload, { trustBaggage: true })
  expect(identities()).toEqual(spans('evil'))
})
