import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/support/clock.ts'
import { EndpointState } from './endpoint-state.ts'

const away = { kind: 'ECONNREFUSED', text: 'Cannot reach it.' }
const keys = { kind: 'keys', text: 'It refuses the keys.' }
const unanswered = { answered: false }

/** A state and its clock; `fails` is a request that starts when it may, and fails at once. */
function stateAt(random = 1, concurrency?: number) {
  const clock = fakeClock(random)
  const state = new EndpointState(clock, concurrency)
  const pass = () => clock.pass(state.wait(0) ?? 0)
  const fails = (how?: { afterMs?: number; answered?: boolean }) => {
    pass()
    state.failed(away, clock.now(), how)
    return state.wait(0)
  }
  return { clock, state, pass, fails }
}

describe('a healthy endpoint', () => {
  it('allows four concurrent requests', () => {
    const { state } = stateAt()
    expect([0, 3, 4, 5].map((underWay) => state.wait(underWay))).toEqual([0, 0, undefined, undefined])
    expect([state.phase, state.cause, state.isUnreachable, state.isHopeless(0)]).toEqual([
      'ok',
      undefined,
      false,
      false,
    ])
  })

  it('allows as many concurrent requests as configured', () => {
    const { state } = stateAt(1, 30)
    expect([29, 30].map((underWay) => state.wait(underWay))).toEqual([0, undefined])
  })

  it('has the time of the last success', () => {
    const { state, clock } = stateAt()
    expect(state.lastSuccess).toBe(Number.NEGATIVE_INFINITY)
    clock.pass(700)
    state.succeeded(100)
    expect(state.lastSuccess).toBe(700)
  })
})

describe('a failed request', () => {
  it.each([
    [1, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]],
    // Never less than half: a fleet that is lucky all at once would be a stampede.
    [0, [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]],
    [0.5, [375, 750, 1_500, 3_000, 6_000, 7_500, 7_500]],
  ])('pauses all requests, with doubling pauses up to ten seconds: random %d', (random, pauses) => {
    const { fails } = stateAt(random)
    expect(pauses.map(() => fails())).toEqual(pauses)
  })

  it('has a cause until the next success', () => {
    const { state, clock, pass, fails } = stateAt()
    fails()
    expect([state.phase, state.cause]).toEqual(['paused', away])
    pass()
    state.succeeded(clock.now())
    expect([state.phase, state.cause]).toEqual(['ok', undefined])
  })

  it('limits the endpoint to one request at a time until one succeeds', () => {
    const { state, clock, fails } = stateAt()
    fails()
    clock.pass(200)
    expect([0, 1].map((underWay) => state.wait(underWay))).toEqual([300, undefined])
    clock.pass(300)
    expect([0, 1].map((underWay) => state.wait(underWay))).toEqual([0, undefined])
    state.succeeded(clock.now())
    expect([0, 1, 3].map((underWay) => state.wait(underWay))).toEqual([0, 0, 0])
  })

  it('after a success counts as the first again', () => {
    const { state, clock, pass, fails } = stateAt()
    fails()
    fails()
    pass()
    state.succeeded(clock.now())
    expect(fails()).toBe(500)
  })

  it('that started before the pause does not extend it', () => {
    const { state, clock, pass, fails } = stateAt()
    clock.pass(100)
    for (let at = 0; at < 4; at++) state.failed(away, 50, unanswered)
    expect([state.wait(0), state.isUnreachable]).toEqual([500, false])
    pass()
    expect(fails()).toBe(1_000)
  })
})

describe('a success', () => {
  it('of a request that started before the pause does not end it', () => {
    const { state, clock, fails } = stateAt()
    clock.pass(100)
    fails()
    clock.pass(10)
    state.succeeded(50)
    expect([state.phase, state.wait(0), state.lastSuccess]).toEqual(['paused', 490, 110])
  })
})

describe('Retry-After', () => {
  it.each([
    [0, 7_000, 7_000],
    // Later by up to a tenth, never earlier.
    [0.5, 7_000, 7_350],
    [1, 7_000, 7_700],
    [0, 86_400_000, 86_400_000],
    [1, 86_400_000, 95_040_000],
  ])('is respected however long it is: random %d, %d ms', (random, afterMs, pause) => {
    const { fails } = stateAt(random)
    expect(fails({ afterMs })).toBeCloseTo(pause, 5)
  })

  it.each([
    [0, 250],
    [100, 250],
    [251, 251],
  ])('of %d ms never shortens the backoff pause', (afterMs, pause) => {
    const { fails } = stateAt(0)
    expect(fails({ afterMs })).toBe(pause)
  })

  it('does not stop the backoff from growing', () => {
    const { fails } = stateAt()
    expect([fails({ afterMs: 1 }), fails({ afterMs: 1 }), fails({ afterMs: 1 })]).toEqual([500, 1_000, 2_000])
  })

  it('of a request that started before the pause can only extend it', () => {
    const { state, clock } = stateAt(0)
    clock.pass(100)
    state.failed(away, 0, { afterMs: 30_000 })
    state.failed(away, 0, { afterMs: 1_000 })
    expect(state.wait(0)).toBe(30_000)
    state.failed(away, 0, { afterMs: 40_000 })
    expect(state.wait(0)).toBe(40_000)
  })
})

describe('a failed request that started before the pause', () => {
  it('keeps the pause that the endpoint requested', () => {
    const { state, clock } = stateAt()
    clock.pass(100)
    state.failed(away, 50, { afterMs: 30_000 })
    state.failed(away, 50)
    state.skipPause()
    expect(state.wait(0)).toBeGreaterThanOrEqual(30_000)
  })

  it('does not turn a refusing endpoint into an unreachable one', () => {
    const { state, clock } = stateAt()
    clock.pass(100)
    state.refused(keys)
    state.failed(away, 50)
    expect(state.phase).toBe('refused')
  })
})

describe('an endpoint that refuses requests', () => {
  it.each([
    [0, 60_000],
    [1, 66_000],
  ])('receives one request a minute: random %d', (random, pause) => {
    const { state, clock, pass } = stateAt(random)
    for (let probe = 0; probe < 3; probe++) {
      state.refused(keys)
      expect([state.phase, state.cause, state.wait(0), state.wait(1)]).toEqual(['refused', keys, pause, undefined])
      pass()
      expect([state.wait(0), state.wait(1)]).toEqual([0, undefined])
    }
    state.succeeded(clock.now())
    expect([state.phase, state.cause, state.wait(0), state.wait(3)]).toEqual(['ok', undefined, 0, 0])
  })

  it('is not waited for, and its pause is not shortened', () => {
    const { state } = stateAt(0)
    state.refused(keys)
    state.skipPause()
    expect([state.wait(0), state.isHopeless(1e9), state.isUnreachable]).toEqual([60_000, true, false])
  })

  it('is waited for while it is probed', () => {
    const { state, clock } = stateAt(0)
    state.refused(keys)
    clock.pass(60_000)
    expect(state.isHopeless(0)).toBe(false)
  })

  it('counts as reachable, because it responds', () => {
    const { state, fails } = stateAt()
    for (let at = 0; at < 3; at++) fails(unanswered)
    state.refused(keys)
    expect(state.isUnreachable).toBe(false)
  })
})

describe('an endpoint that does not answer', () => {
  it('is unreachable after three attempts in a row', () => {
    const { state, fails } = stateAt()
    const seen = [1, 2, 3, 4].map(() => {
      fails(unanswered)
      return state.isUnreachable
    })
    expect(seen).toEqual([false, false, true, true])
  })

  it('is marked as not responding to the last attempt', () => {
    const { state, clock, pass, fails } = stateAt()
    expect(state.isUnanswered).toBe(false)
    fails(unanswered)
    expect(state.isUnanswered).toBe(true)
    fails()
    expect(state.isUnanswered).toBe(false)
    fails(unanswered)
    pass()
    state.succeeded(clock.now())
    expect(state.isUnanswered).toBe(false)
  })

  it.each(['answers with a failure', 'succeeds'])('is reachable again once it %s', (how) => {
    const { state, clock, pass, fails } = stateAt()
    for (let at = 0; at < 3; at++) fails(unanswered)
    pass()
    if (how === 'succeeds') state.succeeded(clock.now())
    else fails()
    expect(state.isUnreachable).toBe(false)
    fails(unanswered)
    fails(unanswered)
    expect(state.isUnreachable).toBe(false)
  })
})

describe('a flush that waits for an endpoint', () => {
  it('does not shorten the pauses of an endpoint that fails repeatedly', () => {
    const { state, fails } = stateAt()
    for (let at = 0; at < 4; at++) fails()
    state.skipPause()
    expect(state.wait(0)).toBe(0)
    fails()
    state.skipPause()
    expect(state.wait(0)).toBe(8_000)
  })

  it('waits for a pause that ends before its deadline', () => {
    const { state, fails } = stateAt()
    fails()
    expect([499, 500].map((ms) => state.isHopeless(ms))).toEqual([true, false])
  })

  it('does not wait for an endpoint that is unreachable', () => {
    const { state, fails } = stateAt()
    for (let at = 0; at < 3; at++) fails(unanswered)
    expect(state.isHopeless(1e9)).toBe(true)
  })

  it('ends a backoff pause early', () => {
    const { state, fails } = stateAt()
    fails()
    fails()
    state.skipPause()
    expect([state.wait(0), state.wait(1), state.phase]).toEqual([0, undefined, 'paused'])
  })

  it('starts a request at once, whose result counts', () => {
    const { state, clock, fails } = stateAt()
    fails()
    state.skipPause()
    state.succeeded(clock.now())
    expect(state.phase).toBe('ok')
    fails()
    state.skipPause()
    expect(fails()).toBe(1_000)
  })

  it('does not end a pause that the endpoint requested', () => {
    const { state, clock, fails } = stateAt(0)
    fails({ afterMs: 7_000 })
    clock.pass(1_000)
    state.skipPause()
    expect(state.wait(0)).toBe(6_000)
  })

  it('does not end the pause of an endpoint that is unreachable', () => {
    const { state, fails } = stateAt()
    for (let at = 0; at < 3; at++) fails(unanswered)
    state.skipPause()
    expect(state.wait(0)).toBe(2_000)
  })

  it('without success is the last one that waits until the endpoint responds', () => {
    const { state, clock, pass, fails } = stateAt()
    fails()
    state.gaveUp()
    expect([state.isUnreachable, state.isHopeless(1e9)]).toEqual([true, true])
    fails(unanswered)
    expect(state.isUnreachable).toBe(true)
    pass()
    state.succeeded(clock.now())
    expect([state.isUnreachable, state.isHopeless(0)]).toEqual([false, false])
  })

  it('changes nothing for a healthy endpoint', () => {
    const { state } = stateAt()
    state.skipPause()
    expect([state.phase, state.wait(0), state.wait(3)]).toEqual(['ok', 0, 0])
  })
})
