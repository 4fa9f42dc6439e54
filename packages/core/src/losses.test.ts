import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { configureGlobalLogger, LogLevel, resetGlobalLogger } from './log.ts'
import { Losses } from './losses.ts'

let lines: string[]
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line))
  configureGlobalLogger({ level: LogLevel.ERROR, prefix: 'svc:', enableTimestamp: false })
})
afterEach(() => {
  vi.restoreAllMocks()
  resetGlobalLogger()
})

const AWAY = { kind: 'away', text: 'The service is away.' }
const FULL = { kind: 'full', text: 'The queue is full.' }

function losses() {
  const clock = { ms: 0 }
  const made = new Losses(
    (count) => `${count} ${count === 1 ? 'span is' : 'spans are'} lost.`,
    () => clock.ms,
  )
  return { losses: made, clock }
}

it('the first loss for a cause is logged at once', () => {
  const { losses: spans } = losses()
  spans.report(AWAY, 1)
  expect(lines).toEqual(['svc: [ERROR] The service is away. 1 span is lost.'])
  expect(spans.rest()).toEqual([])
})

it('later losses for a cause are logged once a minute, with the number since the last line', () => {
  const { losses: spans, clock } = losses()
  spans.report(AWAY, 3)
  lines.length = 0
  clock.ms = 59_999
  spans.report(AWAY, 4)
  expect(lines).toEqual([])
  expect(spans.rest()).toHaveLength(1)
  clock.ms = 60_000
  spans.report(AWAY, 1)
  expect(lines).toEqual(['svc: [ERROR] The service is away. 5 spans are lost.'])
  clock.ms = 119_999
  spans.report(AWAY, 1)
  expect(lines).toHaveLength(1)
})

it('each cause of loss has its own line', () => {
  const { losses: spans } = losses()
  spans.report(AWAY, 1)
  spans.report(FULL, 2)
  expect(lines).toEqual([
    'svc: [ERROR] The service is away. 1 span is lost.',
    'svc: [ERROR] The queue is full. 2 spans are lost.',
  ])
})

it('a cause of loss is described by its last report', () => {
  const { losses: spans } = losses()
  spans.report(AWAY, 1)
  spans.report(AWAY, 1)
  spans.report({ ...AWAY, text: 'The service is away (503).' }, 1)
  spans.log(spans.rest())
  expect(lines.at(-1)).toBe('svc: [ERROR] The service is away (503). 2 spans are lost.')
})

it('the remaining losses of all causes are one line, once', () => {
  const { losses: spans } = losses()
  spans.report(AWAY, 1)
  spans.report(AWAY, 2)
  spans.add(FULL, 4)
  expect(lines).toHaveLength(1)
  spans.log(spans.rest())
  expect(lines.slice(1)).toEqual([
    'svc: [ERROR] The service is away. 2 spans are lost. The queue is full. 4 spans are lost.',
  ])
  expect(spans.rest()).toEqual([])
  spans.log(spans.rest())
  expect(lines).toHaveLength(2)
})

it('nothing is logged without losses', () => {
  const { losses: spans } = losses()
  spans.log(spans.rest())
  expect(lines).toEqual([])
  expect(spans.rest()).toEqual([])
})

it('a deferred loss is logged with the next one of its cause', () => {
  const { losses: spans } = losses()
  spans.add(AWAY, 2)
  expect(lines).toEqual([])
  spans.report(AWAY, 1)
  expect(lines).toEqual(['svc: [ERROR] The service is away. 3 spans are lost.'])
})

it('losses within a minute are logged at its end, also if no further ones follow', () => {
  vi.useFakeTimers()
  const spans = new Losses((count) => `${count} lost.`)
  spans.report(AWAY, 1)
  for (let at = 0; at < 10; at++) spans.report(AWAY, 100)
  vi.advanceTimersByTime(59_999)
  expect(lines).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(lines).toEqual(['svc: [ERROR] The service is away. 1 lost.', 'svc: [ERROR] The service is away. 1000 lost.'])
  vi.advanceTimersByTime(600_000)
  expect(lines).toHaveLength(2)
  vi.useRealTimers()
})
