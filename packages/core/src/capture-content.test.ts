import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const SLOT = Symbol.for('svc.calls.6')
const VARIABLE = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'

beforeEach(() => vi.resetModules())
afterEach(() => {
  vi.unstubAllEnvs()
  Reflect.deleteProperty(globalThis, SLOT)
})

it.each([
  ['', true],
  ['true', true],
  ['SPAN_ONLY', true],
  ['false', false],
  ['NO_CONTENT', false],
  ['EVENT_ONLY', false],
  ['nonsense', false],
])('without a pipeline the variable counts: with %j content is captured: %s', async (value, expected) => {
  vi.stubEnv(VARIABLE, value)
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { capturesContent } = await import('./capture-content.ts')
  expect(capturesContent()).toBe(expected)
  expect(warn).toHaveBeenCalledTimes(value === 'nonsense' ? 1 : 0)
  warn.mockRestore()
})

it('what the pipeline has read wins', async () => {
  vi.stubEnv(VARIABLE, 'true')
  const { capturesContent } = await import('./capture-content.ts')
  Reflect.set(globalThis, SLOT, { captureContent: false })
  expect(capturesContent()).toBe(false)
})
