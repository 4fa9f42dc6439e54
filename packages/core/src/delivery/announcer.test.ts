import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeClock } from '../../test/support/clock.ts'
import { catchLog } from '../../test/support/console.ts'
import { SPANS } from '../../test/support/nouns.ts'
import { Announcer } from './announcer.ts'
import { EndpointState } from './endpoint-state.ts'

const log = catchLog()
const away = { kind: 'ECONNREFUSED', text: 'Cannot reach host:1: connect ECONNREFUSED.' }
const keys = { kind: 'keys', text: 'host:1 refuses the keys (401).' }
const HOUR_MS = 3_600_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An announcer of an endpoint, which looks whenever a request is settled; `pass` lets time go by. */
function announcing(spans = 7, isCutOff = false) {
  const clock = fakeClock(0)
  const state = new EndpointState(clock)
  let waiting = spans
  const announcer = new Announcer(state, 'host:1', SPANS, () => waiting, isCutOff)
  const does = (what: () => void) => {
    what()
    announcer.update()
  }
  return {
    announcer,
    fails: (cause = away) => does(() => state.failed(cause, clock.now())),
    refuses: () => does(() => state.refused(keys)),
    succeeds: () => does(() => state.succeeded(clock.now())),
    grow: (to: number) => {
      waiting = to
    },
    pass: (ms: number) => {
      clock.pass(ms)
      vi.advanceTimersByTime(ms)
    },
  }
}

describe('an endpoint that cannot be reached', () => {
  it('for a short time is not logged', () => {
    const { fails, succeeds, pass } = announcing()
    for (let second = 0; second < 9; second++) {
      fails()
      pass(1_000)
    }
    succeeds()
    pass(60_000)
    expect(log.lines()).toEqual([])
  })

  it('for ten seconds is logged in one line with the reason and the queue, and once more when it is back', () => {
    const { fails, succeeds, pass, grow } = announcing()
    fails()
    pass(9_999)
    expect(log.lines()).toEqual([])
    grow(12)
    pass(1)
    const line =
      'svc: [WARN] Cannot reach host:1: connect ECONNREFUSED. Spans wait (12) and are retried until they are too old (SVC_OTEL_MAX_RETRY_AGE).'
    expect(log.lines()).toEqual([line])
    for (let minute = 0; minute < 30; minute++) {
      fails()
      pass(60_000)
    }
    expect(log.lines()).toEqual([line])
    succeeds()
    succeeds()
    expect(log.lines()).toEqual([line, 'svc: [INFO] host:1 accepts spans again.'])
  })

  it('repeatedly for a short time is not logged', () => {
    const { fails, succeeds, pass } = announcing()
    for (let at = 0; at < 20; at++) {
      fails()
      pass(6_000)
      succeeds()
      pass(1_000)
    }
    expect(log.lines()).toEqual([])
  })

  it('again after it was back is logged again', () => {
    const { fails, succeeds, pass } = announcing()
    for (let at = 0; at < 2; at++) {
      fails()
      pass(10_000)
      succeeds()
    }
    expect(log.lines('Cannot reach')).toHaveLength(2)
    expect(log.lines('accepts spans again')).toHaveLength(2)
  })

  it('for alternating reasons is logged once', () => {
    const { fails, pass } = announcing()
    for (let at = 0; at < 20; at++) {
      fails()
      pass(5_000)
      fails({ kind: '503', text: 'host:1 did not accept a batch of spans: it answered 503.' })
      pass(5_000)
    }
    expect(log.lines()).toHaveLength(1)
  })

  it('after it refused requests is logged again, with the reason', () => {
    const { refuses, fails, pass } = announcing()
    refuses()
    pass(1_000)
    fails()
    pass(10_000)
    expect(log.lines('Cannot reach')).toHaveLength(1)
  })
})

describe('an endpoint that refuses requests', () => {
  it('is logged after a second, and again every hour with the current queue', () => {
    const { refuses, pass, grow } = announcing()
    refuses()
    pass(999)
    expect(log.lines()).toEqual([])
    pass(1)
    expect(log.lines()).toEqual([
      'svc: [WARN] host:1 refuses the keys (401). Spans wait (7) and are retried every minute.',
    ])
    grow(70)
    for (let minute = 0; minute < 59; minute++) {
      pass(60_000)
      refuses()
    }
    expect(log.lines()).toHaveLength(1)
    pass(60_000)
    expect(log.lines()[1]).toContain('Spans wait (70)')
    pass(2 * HOUR_MS)
    expect(log.lines()).toHaveLength(4)
  })

  it('is logged after a second, also if it could not be reached before', () => {
    const { fails, refuses, pass } = announcing()
    fails()
    pass(500)
    refuses()
    pass(1_000)
    expect(log.lines('refuses the keys')).toHaveLength(1)
  })

  it('with other failures in between is logged once an hour', () => {
    const { fails, refuses, pass } = announcing()
    for (let minute = 0; minute < 59; minute++) {
      refuses()
      pass(59_000)
      fails()
      pass(1_000)
    }
    expect(log.lines()).toHaveLength(1)
  })

  it('and then recovers is logged in one line, and not an hour later', () => {
    const { refuses, succeeds, pass } = announcing()
    refuses()
    pass(1_000)
    succeeds()
    pass(2 * HOUR_MS)
    expect(log.lines()).toEqual([
      expect.stringContaining('refuses the keys'),
      'svc: [INFO] host:1 accepts spans again.',
    ])
  })

  it('for less than a second is not logged', () => {
    const { refuses, succeeds, pass } = announcing()
    refuses()
    pass(500)
    succeeds()
    pass(HOUR_MS)
    expect(log.lines()).toEqual([])
  })
})

describe('on a host that ends timers with the request that they come from', () => {
  it('a refusal is logged at once, and once', () => {
    const { refuses, pass } = announcing(7, true)
    refuses()
    pass(60_000)
    refuses()
    expect(log.lines('refuses the keys')).toHaveLength(1)
  })

  it('what is due is logged with the next request', () => {
    const { fails, pass } = announcing(7, true)
    fails()
    vi.clearAllTimers()
    pass(9_999)
    fails()
    expect(log.lines()).toEqual([])
    pass(1)
    fails()
    fails()
    expect(log.lines('Cannot reach')).toHaveLength(1)
  })
})

it('nothing is logged about an endpoint after the announcer is stopped', () => {
  const { announcer, refuses, pass } = announcing()
  refuses()
  announcer.stop()
  pass(2 * HOUR_MS)
  expect([log.lines(), vi.getTimerCount()]).toEqual([[], 0])
})

it('a healthy endpoint is not logged', () => {
  const { succeeds, pass } = announcing()
  succeeds()
  pass(HOUR_MS)
  expect(log.lines()).toEqual([])
})
