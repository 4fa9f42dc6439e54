import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { attempt } from './attempt.ts'
import { configureGlobalLogger, LogLevel, resetGlobalLogger } from './log.ts'

const debug = vi.fn()
beforeEach(() => void vi.spyOn(console, 'debug').mockImplementation(debug))
afterEach(() => {
  vi.restoreAllMocks()
  debug.mockClear()
  resetGlobalLogger()
})

it('attempt returns the result of the action', () => {
  expect(attempt('add', () => 1 + 1)).toBe(2)
})

it('attempt returns undefined if the action throws, and logs the error at debug level', () => {
  configureGlobalLogger({ level: LogLevel.DEBUG, enableTimestamp: false })
  const error = new Error('no')
  const failed = attempt('read a field', () => {
    throw error
  })
  expect(failed).toBeUndefined()
  expect(debug).toHaveBeenCalledWith('[Svc SDK] [DEBUG] cannot read a field: no', error.stack)
})

it('attempt does not throw for an error that cannot be converted to text', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  expect(
    attempt('read a field', () => {
      throw proxy
    }),
  ).toBeUndefined()
})
