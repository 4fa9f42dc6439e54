import { builtin } from '../builtin.ts'

const MEBI = 1_048_576
const LARGEST = 64 * MEBI
/** Part of the heap limit: who gives an application little memory wants telemetry to take little of it. */
const SHARE = 1 / 4

/** The bytes that may wait or be under way in this process, all together. */
export class ByteBudget {
  readonly limit: number
  #used = 0

  constructor(limit: number = defaultByteLimit()) {
    this.limit = limit
  }

  get used(): number {
    return this.#used
  }

  /** What is larger than all of it fits where nothing else is. */
  hasRoomFor(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.limit
  }

  take(bytes: number): void {
    this.#used += bytes
  }

  release(bytes: number): void {
    this.#used -= bytes
  }
}

/** 64 MiB, or a quarter of what the heap of this process may grow to. */
export function defaultByteLimit(): number {
  const heap = builtin('node:v8')?.getHeapStatistics().heap_size_limit
  return heap === undefined ? LARGEST : Math.min(LARGEST, Math.floor(heap * SHARE))
}
