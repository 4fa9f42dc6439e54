import type { ValueColumn } from '../../store/column.ts'

/** Rows in groups. */
export interface Groups {
  /** Of each row its group; -1 when it is in none. */
  readonly of: Int32Array
  readonly count: number
  /** A row of each group. */
  readonly examples: readonly number[]
}

/** All rows that are chosen, in one group. Without groups there is one, of nothing too. */
export function together(chosen: Uint8Array): Groups {
  const of = new Int32Array(chosen.length)
  for (let row = 0; row < of.length; row += 1) of[row] = (chosen[row] ?? 0) - 1
  return { of, count: 1, examples: [0] }
}

/** Groups whose rows have the same key, too. @param keys of each row a number below `different` */
export function dividedBy({ of, count }: Groups, keys: Int32Array, different: number): Groups {
  const next = new Int32Array(of.length).fill(-1)
  const numberOf = numbering(count * different)
  const examples: number[] = []
  for (let row = 0; row < of.length; row += 1) {
    const group = of[row] ?? -1
    if (group < 0) continue
    const number = numberOf(group * different + (keys[row] ?? 0))
    if (number === examples.length) examples.push(row)
    next[row] = number
  }
  return { of: next, count: examples.length, examples }
}

export const dividedByColumn = (groups: Groups, { data, values }: ValueColumn): Groups =>
  dividedBy(groups, data, values.length)

/** Most numbers that are looked up in an array instead of a map. */
const ARRAY = 1 << 22

/** Numbers whatever it is given from 0 on, in the order in which it is given first. */
function numbering(different: number): (key: number) => number {
  let next = 0
  if (different > ARRAY) {
    const numbers = new Map<number, number>()
    return (key) => {
      const known = numbers.get(key)
      if (known !== undefined) return known
      numbers.set(key, next)
      next += 1
      return next - 1
    }
  }
  const numbers = new Int32Array(different)
  return (key) => {
    const known = numbers[key] ?? 0
    if (known > 0) return known - 1
    next += 1
    numbers[key] = next
    return next - 1
  }
}
