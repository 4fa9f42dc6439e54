import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
import { afterEach, describe, expect, it } from 'vitest'
import { Progress } from './progress.ts'

function setUp({ isTTY = true, name = 'capitals' } = {}) {
  const written: string[] = []
  const time = { now: 5 }
  const terminal = { isTTY, write: (text: string) => written.push(text) }
  const progress = new Progress({ name, total: 20 }, () => time.now, terminal)
  return { progress, written, time }
}

const CLEAR = '\r\u001B[2K'

afterEach(resetGlobalLogger)

describe('the progress of an experiment', () => {
  it('is a line on a terminal during long runs, which is cleared when the run ends', () => {
    const { progress, written, time } = setUp()
    progress.step(false)
    expect(written).toEqual([])
    time.now += 2_000
    progress.step(true)
    progress.end()
    expect(written).toEqual([`${CLEAR}svc: experiment "capitals": 2 of 20 items, 1 failed`, CLEAR])
  })

  it('is written at most ten times a second', () => {
    const { progress, written, time } = setUp()
    for (let at = 0; at < 20; at += 1) {
      time.now += 200
      progress.step(false)
      progress.step(false)
    }
    expect(written).toHaveLength(11)
  })

  it('is not written outside of a terminal, for short runs, or at a log level above INFO', () => {
    const piped = setUp({ isTTY: false })
    piped.time.now += 5_000
    piped.progress.step(false)
    const short = setUp()
    short.progress.step(false)
    configureGlobalLogger({ level: LogLevel.WARN })
    const quiet = setUp()
    quiet.time.now += 5_000
    quiet.progress.step(false)
    for (const { progress } of [piped, short, quiet]) progress.end()
    expect([piped.written, short.written, quiet.written]).toEqual([[], [], []])
  })

  it('contains no control characters of names', () => {
    const { progress, written, time } = setUp({ name: '\u001B[31mred' })
    time.now += 5_000
    progress.step(false)
    expect(written[0]).toBe(`${CLEAR}svc: experiment "[31mred": 1 of 20 items`)
  })
})
