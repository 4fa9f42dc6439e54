import { API_SLOT } from '@svc/core/api-global'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { environmentForLater } from './start-later.ts'

const { execArgv } = process
const globals = globalThis as unknown as Record<symbol, unknown>

beforeEach(() => {
  // What vitest and its caller have set.
  for (const name of Object.keys(process.env).filter((each) => /^(SVC|OTEL)_|^NODE_OPTIONS$/.test(each)))
    vi.stubEnv(name, undefined)
  vi.stubEnv('SVC_PUBLIC_KEY', 'pk')
  vi.stubEnv('SVC_SECRET_KEY', 'sk')
  process.execArgv = []
})
afterEach(() => {
  process.execArgv = execArgv
  delete globals[API_SLOT]
  vi.unstubAllEnvs()
})

it('with nothing but keys libraries are hooked later', () => {
  expect(environmentForLater()).toBeDefined()
})

it('where something is registered, libraries are hooked at once', () => {
  globals[API_SLOT] = { version: '1.9.0', metrics: {} }
  expect(environmentForLater()).toBeUndefined()
})

it.each([
  ['SVC_BASE_URL', 'http://127.0.0.1:1'],
  ['SVC_RELEASE', '1'],
  ['OTEL_SERVICE_NAME', 'shop'],
  ['PORT', '3000'],
  ['NODE_OPTIONS', '--import @svc/register'],
])('%s=%s changes nothing before the first use', (name, value) => {
  vi.stubEnv(name, value)
  expect(environmentForLater()).toBeDefined()
})

it.each([
  ['SVC_SECRET_KEY', undefined],
  ['SVC_PUBLIC_KEY', 'pk „quoted“'],
  ['SVC_TRACING_ENABLED', 'false'],
  ['SVC_BASE_URL', 'svc.example.com'],
  ['SVC_FLUSH_AT', 'some'],
  ['https_proxy', 'ftp://proxy'],
  ['SVC_DEBUG', 'true'],
  ['SVC_EAGER', 'true'],
  ['SVC_UNKNOWN', '1'],
  ['OTEL_SDK_DISABLED', 'true'],
  ['NODE_OPTIONS', '--require ./other.cjs --import @svc/register'],
])('with %s=%s libraries are hooked at once', (name, value) => {
  vi.stubEnv(name, value)
  expect(environmentForLater()).toBeUndefined()
})

it('what the application changes afterwards is read as it was at the start', () => {
  const env = environmentForLater()
  vi.stubEnv('SVC_SECRET_KEY', undefined)
  vi.stubEnv('SVC_RELEASE', '1')
  expect([env?.('SVC_SECRET_KEY'), env?.('SVC_RELEASE')]).toEqual(['sk', undefined])
})
