import { afterAll, beforeAll, expect, it } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it.each([
  ['true', 'ada'],
  ['false', undefined],
])('SVC_TRUST_BAGGAGE=%s makes a user in the baggage of a client %s', async (printed, user) => {
  const before = service.local.spans().length
  const env = { ...service.env, SVC_TRUST_BAGGAGE: printed }
  const server = startNode([...PRELOAD, app('server.mjs')], { cwd, env })
  const [, port] = await server.printed(/listening on (\d+)/)
  const headers = { baggage: 'svc_user_id=ada' }
  await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x', headers }).then((response) => response.text())
  server.kill('SIGTERM')
  await server.ended
  const spans = service.local.spans().slice(before)
  expect(spans.map((span) => span.attributes['user.id'])).toEqual([user, user, user])
})
