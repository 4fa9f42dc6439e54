import { describe, expect, it } from 'vitest'
import { batchOf, names } from '../../test/support/batches.ts'
import { fakeClock } from '../../test/support/clock.ts'
import { EndpointState } from './endpoint-state.ts'
import { Refusals } from './refusals.ts'

const cause = { kind: '400', text: 'It answered 400.' }

function refusing() {
  const clock = fakeClock()
  const state = new EndpointState(clock)
  return { clock, state, refusals: new Refusals(state, clock, ({ items }) => items > 1) }
}

describe('a batch that the endpoint refuses', () => {
  it('is split and retried at once if it has several items', () => {
    const { refusals } = refusing()
    const batch = refusals.add(batchOf(names(2)), cause, 0)
    expect([refusals.isDue(batch), refusals.isLast(batch)]).toEqual([true, false])
  })

  it('is retried after a minute if it has one item', () => {
    const { refusals, clock } = refusing()
    const batch = refusals.add(batchOf(names(1)), cause, 0)
    expect([refusals.isDue(batch), refusals.wait([batch])]).toEqual([false, 60_000])
    clock.pass(60_000)
    expect(refusals.isDue(batch)).toBe(true)
  })

  it('is retried a last time as soon as another batch is accepted', () => {
    const { refusals, clock, state } = refusing()
    const batch = refusals.add(batchOf(names(1)), cause, 0)
    clock.pass(1)
    state.succeeded(clock.now())
    expect([refusals.isDue(batch), refusals.isLast(batch)]).toEqual([true, true])
  })

  it('keeps its content and the reason of the refusal', () => {
    const { refusals } = refusing()
    const batch = batchOf(names(3))
    expect(refusals.add(batch, cause, 0)).toEqual({ ...batch, refusal: { at: 0, cause } })
  })

  it('is not waited for if there is none', () => {
    const { refusals } = refusing()
    expect(refusals.wait([])).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('twenty refusals in a row', () => {
  it('count as a refusal by the endpoint, not of the items', () => {
    const { refusals, state } = refusing()
    for (let at = 0; at < 19; at++) refusals.add(batchOf(names(1)), cause, 0)
    expect(state.phase).toBe('ok')
    refusals.add(batchOf(names(1)), cause, 0)
    expect([state.phase, state.cause]).toEqual(['paused', cause])
  })

  it('are interrupted by an accepted batch', () => {
    const { refusals, state } = refusing()
    for (let at = 0; at < 40; at++) {
      if (at % 10 === 0) refusals.accepted()
      refusals.add(batchOf(names(1)), cause, 0)
    }
    expect(state.phase).toBe('ok')
  })
})
