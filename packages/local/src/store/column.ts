import type { SQLOutputValue } from 'node:sqlite'

/** A column of many rows, in a typed array: a million of its values are looked at in milliseconds. */
export interface Column {
  /** Of each row its number, or the number of its value. */
  readonly data: Float64Array | Int32Array
  /** Makes room for rows. Those that are there keep their values. */
  grow(rows: number): void
  put(row: number, value: SQLOutputValue): void
  /** About how much memory it takes. */
  bytes(): number
}

/** Numbers; NaN where a row has none. */
export class NumberColumn implements Column {
  data = new Float64Array()

  grow(rows: number): void {
    const larger = new Float64Array(rows)
    larger.set(this.data)
    this.data = larger
  }

  put(row: number, value: SQLOutputValue): void {
    this.data[row] = typeof value === 'number' ? value : Number.NaN
  }

  bytes(): number {
    return this.data.byteLength
  }
}

/** What a value of a column takes beside its characters: an estimate. */
const VALUE_BYTES = 64

/** Values of any type, each different one kept once. */
export class ValueColumn implements Column {
  data = new Int32Array()
  /** The first one is null. */
  readonly values: SQLOutputValue[] = [null]
  readonly #numbers = new Map<SQLOutputValue, number>([[null, 0]])
  #bytes = 0

  grow(rows: number): void {
    const larger = new Int32Array(rows)
    larger.set(this.data)
    this.data = larger
  }

  put(row: number, value: SQLOutputValue): void {
    let number = this.#numbers.get(value)
    if (number === undefined) {
      number = this.values.push(value) - 1
      this.#numbers.set(value, number)
      this.#bytes += VALUE_BYTES + (typeof value === 'string' ? value.length : 0)
    }
    this.data[row] = number
  }

  bytes(): number {
    return this.data.byteLength + this.#bytes
  }
}
