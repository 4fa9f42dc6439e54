import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { configureGlobalLogger, resetGlobalLogger } from './log.ts'
import { warnFew } from './warn-few.ts'

let lines: string[]
beforeEach(() => {
  lines = []
  vi.useFakeTimers()
  vi.spyOn(console, 'warn').mockImplementation((line) => void lines.push(line))
  configureGlobalLogger({ prefix: 'svc:', enableTimestamp: false })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  resetGlobalLogger()
})

it('of one message 20 warnings are logged in a minute', () => {
  for (let request = 0; request < 100; request += 1) warnFew('userId is dropped')
  expect(lines).toEqual(Array(20).fill('svc: [WARN] userId is dropped'))
  vi.advanceTimersByTime(60_000)
  warnFew('userId is dropped')
  expect(lines).toHaveLength(21)
})

it('a message with another beginning has a number of its own', () => {
  for (let request = 0; request < 100; request += 1) warnFew('userId is dropped')
  warnFew('tags is dropped')
  expect(lines.at(-1)).toBe('svc: [WARN] tags is dropped')
})

it.each([
  ['metadata "%" is dropped', 'a quoted value'],
  ['propagateAttributes: metadata.% is dropped', 'the key of metadata'],
])('%j is one message, whatever %s is', (message) => {
  for (let request = 0; request < 100; request += 1) warnFew(message.replace('%', `k${request}`))
  expect(lines).toHaveLength(20)
})
