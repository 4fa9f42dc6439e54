import { describe, expect, it } from 'vitest'
import { Fifo } from './fifo.ts'

const item = (id: number) => ({ id })
const ids = (queue: Iterable<{ id: number }>) => [...queue].map(({ id }) => id)

function fifoOf(...numbers: readonly number[]) {
  const fifo = new Fifo<{ id: number }>()
  for (const id of numbers) fifo.push(item(id))
  return fifo
}

describe('a FIFO queue', () => {
  it('appends to the end, also after items were removed', () => {
    const fifo = fifoOf(0, 1, 3, 5)
    fifo.shift()
    for (const id of [4, 2, 9, 1]) fifo.insert(item(id), (each) => each.id >= id)
    expect(ids(fifo)).toEqual([1, 1, 2, 3, 4, 5, 9])
  })

  it('returns the oldest item first', () => {
    const fifo = fifoOf(1, 2, 3)
    expect([fifo.first?.id, fifo.shift()?.id, fifo.first?.id, fifo.length]).toEqual([1, 1, 2, 2])
    expect([fifo.shift()?.id, fifo.shift()?.id, fifo.shift(), fifo.first, fifo.length]).toEqual([
      2,
      3,
      undefined,
      undefined,
      0,
    ])
  })

  it('returns items to the front in the given order', () => {
    const fifo = fifoOf(1, 2, 3)
    fifo.shift()
    fifo.unshift(item(8), item(9))
    expect([ids(fifo), fifo.length]).toEqual([[8, 9, 2, 3], 4])
  })

  it('removes the first matching item, or none', () => {
    const fifo = fifoOf(1, 2, 3, 4)
    fifo.shift()
    expect(fifo.shiftWhere(({ id }) => id % 2 === 1)?.id).toBe(3)
    expect(fifo.shiftWhere(({ id }) => id === 1)).toBeUndefined()
    expect(ids(fifo)).toEqual([2, 4])
  })

  it('removes all matching items', () => {
    const fifo = fifoOf(1, 2, 3, 4, 5)
    fifo.shift()
    expect(ids(fifo.remove(({ id }) => id % 2 === 1))).toEqual([3, 5])
    expect([ids(fifo), fifo.length]).toEqual([[2, 4], 2])
    expect(fifo.remove(() => false)).toEqual([])
  })

  it('keeps its order through any sequence of operations', () => {
    const fifo = new Fifo<{ id: number }>()
    const model: number[] = []
    for (let at = 0; at < 20_000; at++) {
      const dice = (at * 7_919) % 10
      if (dice < 5) {
        fifo.push(item(at))
        model.push(at)
      } else if (dice < 9) {
        expect(fifo.shift()?.id).toBe(model.shift())
      } else if (at % 1_000 < 10) {
        fifo.unshift(item(-at))
        model.unshift(-at)
      }
      expect(fifo.length).toBe(model.length)
    }
    expect(ids(fifo)).toEqual(model)
    expect(model.length).toBeGreaterThan(1_100)
    for (const id of model) expect(fifo.shift()?.id).toBe(id)
    expect(fifo.length).toBe(0)
  })
})
