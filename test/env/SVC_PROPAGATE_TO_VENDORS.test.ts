import { afterAll, beforeAll, expect, it } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

// With this instrumentation OpenTelemetry sends trace context along with whatever is fetched.
const env = { SVC_INSTRUMENTATIONS: 'openai,undici', SVC_OTEL_ALLOWED_SCOPES: '@opentelemetry/instrumentation-undici' }

it.each([
  [undefined, false],
  ['false', false],
  ['true', true],
])('SVC_PROPAGATE_TO_VENDORS=%s sends trace context to vendors: %s', async (value, expected) => {
  await runNode([...PRELOAD, app('chat.mjs')], {
    cwd,
    env: { ...service.env, ...env, SVC_PROPAGATE_TO_VENDORS: value },
  })
  const headers = service.models.requests().at(-1)?.headers ?? {}
  expect('traceparent' in headers).toBe(expected)
})
