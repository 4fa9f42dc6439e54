import v8 from 'node:v8'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ByteBudget, defaultByteLimit } from './byte-budget.ts'

const MEBI = 1_048_576

afterEach(() => void vi.restoreAllMocks())

describe('what may wait', () => {
  it.each([
    [4_096, 64],
    [257, 64],
    [256, 64],
    [192, 48],
    [128, 32],
    [16, 4],
  ])('with a heap of %d MiB is %d MiB', (heap, limit) => {
    const statistics = { ...v8.getHeapStatistics(), heap_size_limit: heap * MEBI }
    vi.spyOn(v8, 'getHeapStatistics').mockReturnValue(statistics)
    expect(defaultByteLimit()).toBe(limit * MEBI)
    expect(new ByteBudget().limit).toBe(limit * MEBI)
  })

  it('is whole bytes', () => {
    vi.spyOn(v8, 'getHeapStatistics').mockReturnValue({ ...v8.getHeapStatistics(), heap_size_limit: 1_001 })
    expect(defaultByteLimit()).toBe(250)
  })

  it('is 64 MiB where the host does not know its heap', () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
    expect(defaultByteLimit()).toBe(64 * MEBI)
  })

  it('is what was asked for', () => {
    expect(new ByteBudget(1_000).limit).toBe(1_000)
  })
})

describe('a budget', () => {
  it('has room up to its limit, and again when something is released', () => {
    const budget = new ByteBudget(100)
    budget.take(60)
    expect([budget.hasRoomFor(40), budget.hasRoomFor(41)]).toEqual([true, false])
    budget.take(40)
    expect([budget.used, budget.hasRoomFor(1)]).toEqual([100, false])
    budget.release(60)
    expect([budget.used, budget.hasRoomFor(60), budget.hasRoomFor(61)]).toEqual([40, true, false])
  })

  it('has room for what is larger than all of it when nothing else is there', () => {
    const budget = new ByteBudget(100)
    expect(budget.hasRoomFor(1_000)).toBe(true)
    budget.take(1)
    expect(budget.hasRoomFor(1_000)).toBe(false)
  })
})
