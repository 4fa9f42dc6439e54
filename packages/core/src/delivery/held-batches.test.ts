import { describe, expect, it } from 'vitest'
import { batchOf } from '../../test/support/batches.ts'
import { ByteBudget } from './byte-budget.ts'
import { HeldBatches } from './held-batches.ts'

const [a, b, c] = [batchOf(['a'], { epoch: 1 }), batchOf(['b', 'b'], { epoch: 1 }), batchOf(['c'], { epoch: 2 })]

function holding() {
  const budget = new ByteBudget(1_000_000)
  const held = new HeldBatches(budget)
  return { budget, held }
}

describe('batches in the delivery queue', () => {
  it('wait in order of arrival, except for those put at the front', () => {
    const { held } = holding()
    held.push(b)
    held.push(c)
    held.unshift(a)
    expect([held.waiting, held.first]).toEqual([3, a])
    expect([held.shift(), held.shift(), held.shift(), held.shift()]).toEqual([a, b, c, undefined])
  })

  it('are put back at their old position', () => {
    const { held } = holding()
    const [first, second, third] = [1, 2, 3].map((sealedAt) => batchOf([`${sealedAt}`], { sealedAt }))
    if (!first || !second || !third) throw new Error('three batches')
    held.push(third)
    for (const batch of [first, second]) held.putBack(batch)
    expect([held.shift(), held.shift(), held.shift()]).toEqual([first, second, third])
  })

  it('are put back before those that were sealed together with them', () => {
    const { held } = holding()
    held.push(b)
    held.putBack(a)
    expect([held.shift(), held.shift()]).toEqual([a, b])
  })

  it('are counted with their items and bytes, queued or in flight, until they are settled', () => {
    const { held, budget } = holding()
    held.push(a)
    held.start(b, 0)
    expect([held.items, held.underWay, budget.used]).toEqual([3, 1, a.body.length + b.body.length])
    expect(held.finish(b)).toBe(true)
    expect([held.items, held.underWay, budget.used]).toEqual([1, 0, a.body.length])
    held.shift()
    expect([held.items, budget.used]).toEqual([0, 0])
  })

  it('are settled once', () => {
    const { held, budget } = holding()
    held.start(a, 0)
    expect([held.finish(a), held.finish(a), held.finish(b)]).toEqual([true, false, false])
    expect([held.items, budget.used]).toEqual([0, 0])
  })

  it('that are recalled wait before all others, and are no longer in flight', () => {
    const { held, budget } = holding()
    held.push(c)
    held.start(a, 0)
    held.start(b, 0)
    held.recall()
    expect([held.waiting, held.underWay, held.items]).toEqual([3, 0, 4])
    expect(budget.used).toBe(a.body.length + b.body.length + c.body.length)
    expect(held.finish(a)).toBe(false)
    expect([held.shift(), held.shift(), held.shift()]).toEqual([a, b, c])
  })

  it('of one kind are removed from the queue', () => {
    const { held, budget } = holding()
    for (const batch of [a, c]) held.push(batch)
    held.refuse(b)
    expect(held.remove(({ epoch }) => epoch === 1)).toEqual([a, b])
    expect([held.first, held.waiting, held.items, budget.used]).toEqual([c, 1, 1, c.body.length])
    expect(held.remove(() => false)).toEqual([])
  })

  it('that were refused come after all others, by kind', () => {
    const { held, budget } = holding()
    held.refuse(a)
    held.refuse(b)
    held.push(c)
    expect([held.waiting, held.first, [...held.refused]]).toEqual([1, c, [a, b]])
    expect(held.shiftRefused(({ items }) => items === 2)).toBe(b)
    expect(held.shiftRefused(({ items }) => items === 2)).toBeUndefined()
    expect([held.shift(), held.shift(), held.shift()]).toEqual([c, a, undefined])
    expect([held.items, budget.used]).toEqual([0, 0])
  })

  it('are recalled by the time at which their request started', () => {
    const { held } = holding()
    held.start(a, 1)
    held.start(b, 2)
    held.start(c, 3)
    held.recall(2)
    expect([held.shift(), held.shift(), held.shift()]).toEqual([a, b, undefined])
    expect([held.finish(b), held.finish(c)]).toEqual([false, true])
  })

  it('are found by epoch, with those of earlier epochs', () => {
    const { held } = holding()
    held.push(a)
    held.start(b, 0)
    held.push(c)
    expect([0, 1, 2, 3].map((epoch) => held.has(epoch))).toEqual([false, true, true, true])
    held.shift()
    expect(held.has(1)).toBe(true)
    held.finish(b)
    expect([1, 2].map((epoch) => held.has(epoch))).toEqual([false, true])
  })
})
