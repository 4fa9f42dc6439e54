import { describe, expect, it } from 'vitest'
import { inPool } from './pool.ts'

/** Works that end when told, and how many of them are under way. */
function setUp() {
  const began: number[] = []
  const ends = new Map<number, { resolve(): void; reject(error: unknown): void }>()
  const work = (item: number) => {
    began.push(item)
    return new Promise<string>((resolve, reject) => {
      ends.set(item, { resolve: () => resolve(`done ${item}`), reject })
    })
  }
  return {
    began,
    work,
    end: (item: number) => ends.get(item)?.resolve(),
    fail: (item: number) => ends.get(item)?.reject(item),
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a concurrency pool', () => {
  it('starts the next item as soon as one is done', async () => {
    const { began, work, end } = setUp()
    const results = inPool([1, 2, 3, 4], 2, work)
    await turn()
    expect(began).toEqual([1, 2])
    end(2)
    await turn()
    expect(began).toEqual([1, 2, 3])
    end(3)
    await turn()
    end(4)
    end(1)
    expect(await results).toEqual(['done 1', 'done 2', 'done 3', 'done 4'])
  })

  it('resolves without items', async () => {
    expect(await inPool([], 50, () => Promise.reject(new Error('never')))).toEqual([])
  })

  it('may have a limit above the number of items', async () => {
    expect(await inPool([1, 2], Number.POSITIVE_INFINITY, async (item) => item * 2)).toEqual([2, 4])
  })

  it('starts nothing more after a failure, waits for running items, and rejects with the first error', async () => {
    const { began, work, end, fail } = setUp()
    let over = false
    const results = inPool([1, 2, 3, 4], 2, work).finally(() => {
      over = true
    })
    await turn()
    fail(1)
    await turn()
    expect([began, over]).toEqual([[1, 2], false])
    end(2)
    await expect(results).rejects.toBe(1)
    expect(began).toEqual([1, 2])
  })
})
