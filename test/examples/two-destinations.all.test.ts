import { renderTrace } from '@svc/local'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { readmeOf, timeless } from './readme.ts'

const { folder, args, trace } = readmeOf('two-destinations')

let service: Service
let other: Service
beforeAll(async () => {
  service = await startService()
  other = await startService()
})
afterAll(() => Promise.all([service.close(), other.close()]))

it('examples/two-destinations sends svc the trace shown in its README, and all spans to the other backend', async () => {
  const { SVC_PUBLIC_KEY, SVC_SECRET_KEY, SVC_BASE_URL } = other.env
  const keys = Buffer.from(`${SVC_PUBLIC_KEY}:${SVC_SECRET_KEY}`).toString('base64')
  const env = {
    ...service.env,
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${SVC_BASE_URL}/api/public/otel/v1/traces`,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: `authorization=Basic%20${encodeURIComponent(keys)}`,
    OTEL_NODE_RESOURCE_DETECTORS: 'none',
  }
  const { code, stderr } = await runNode(args, { cwd: folder, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(service.local.traces().map((each) => timeless(renderTrace(each)))).toEqual([timeless(trace)])
  const scopes = other.local.spans().map(({ scope }) => scope.name)
  expect(scopes).toContain('@svc/instrumentation-openai')
  expect(scopes.some((scope) => scope.startsWith('@opentelemetry/instrumentation-'))).toBe(true)
})
