import v8 from 'node:v8'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ByteBudget, defaultByteLimit } from './byte-budget.ts'

const MEBI = 1_048_576

afterEach(() => void vi.restoreAllMocks())

describe('the queue limit in bytes', () => {
  it.each([
    [4_096, 64],
    [257, 64],
    [256, 64],
    [192, 48],
    [128, 32],
    [16, 4],
  ])('is derived from the heap limit: a heap of %d MiB gives %d MiB', (heap, limit) => {
    const statistics = { ...v8.getHeapStatistics(), heap_size_limit: heap * MEBI }
    vi.spyOn(v8, 'getHeapStatistics').mockReturnValue(statistics)
    expect(defaultByteLimit()).toBe(limit * MEBI)
    expect(new ByteBudget().limit).toBe(limit * MEBI)
  })

  it('is an integer', () => {
    vi.spyOn(v8, 'getHeapStatistics').mockReturnValue({ ...v8.getHeapStatistics(), heap_size_limit: 1_001 })
    expect(defaultByteLimit()).toBe(250)
  })

  it('is 64 MiB if the runtime does not report a heap limit', () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
    expect(defaultByteLimit()).toBe(64 * MEBI)
  })

  it('is 64 MiB if a runtime that imitates Node.js says 0', () => {
    vi.spyOn(v8, 'getHeapStatistics').mockReturnValue({ ...v8.getHeapStatistics(), heap_size_limit: 0 })
    expect(defaultByteLimit()).toBe(64 * MEBI)
  })

  it('is 64 MiB if a runtime that imitates Node.js throws', () => {
    vi.spyOn(v8, 'getHeapStatistics').mockImplementation(() => {
      throw new Error('not implemented')
    })
    expect(defaultByteLimit()).toBe(64 * MEBI)
  })

  it('is the configured number', () => {
    expect(new ByteBudget(1_000).limit).toBe(1_000)
  })
})

describe('a byte budget', () => {
  it('accepts bytes up to its limit, and again when some are released', () => {
    const budget = new ByteBudget(100)
    budget.take(60)
    expect([budget.hasRoomFor(40), budget.hasRoomFor(41)]).toEqual([true, false])
    budget.take(40)
    expect([budget.used, budget.hasRoomFor(1)]).toEqual([100, false])
    budget.release(60)
    expect([budget.used, budget.hasRoomFor(60), budget.hasRoomFor(61)]).toEqual([40, true, false])
  })

  it('accepts an item above its limit if it is empty', () => {
    const budget = new ByteBudget(100)
    expect(budget.hasRoomFor(1_000)).toBe(true)
    budget.take(1)
    expect(budget.hasRoomFor(1_000)).toBe(false)
  })
})
