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

describe('a batch that was refused as it is', () => {
  it('is tried again at once where it can be halved', () => {
    const { refusals } = refusing()
    const batch = refusals.add(batchOf(names(2)), cause, 0)
    expect([refusals.isDue(batch), refusals.isLast(batch)]).toEqual([true, false])
  })

  it('is tried again after a minute where it is one item', () => {
    const { refusals, clock } = refusing()
    const batch = refusals.add(batchOf(names(1)), cause, 0)
    expect([refusals.isDue(batch), refusals.wait([batch])]).toEqual([false, 60_000])
    clock.pass(60_000)
    expect(refusals.isDue(batch)).toBe(true)
  })

  it('is tried a last time as soon as another one was taken', () => {
    const { refusals, clock, state } = refusing()
    const batch = refusals.add(batchOf(names(1)), cause, 0)
    clock.pass(1)
    state.succeeded(clock.now())
    expect([refusals.isDue(batch), refusals.isLast(batch)]).toEqual([true, true])
  })

  it('remembers why, and has all that it had', () => {
    const { refusals } = refusing()
    const batch = batchOf(names(3))
    expect(refusals.add(batch, cause, 0)).toEqual({ ...batch, refusal: { at: 0, cause } })
  })

  it('is not waited for where there is none', () => {
    const { refusals } = refusing()
    expect(refusals.wait([])).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('twenty of them in a row', () => {
  it('are the endpoint, not the items', () => {
    const { refusals, state } = refusing()
    for (let at = 0; at < 19; at++) refusals.add(batchOf(names(1)), cause, 0)
    expect(state.phase).toBe('ok')
    refusals.add(batchOf(names(1)), cause, 0)
    expect([state.phase, state.cause]).toEqual(['paused', cause])
  })

  it('are not in a row where one was taken in between', () => {
    const { refusals, state } = refusing()
    for (let at = 0; at < 40; at++) {
      if (at % 10 === 0) refusals.accepted()
      refusals.add(batchOf(names(1)), cause, 0)
    }
    expect(state.phase).toBe('ok')
  })
})
