import { builtin } from '../builtin.ts'

const MEBI = 1_048_576
const LARGEST = 64 * MEBI
/** Share of the heap limit, for applications with little memory. */
const SHARE = 1 / 4

/** Limits the total bytes that are queued or in requests. */
export class ByteBudget {
  readonly limit: number
  #used = 0

  constructor(limit: number = defaultByteLimit()) {
    this.limit = limit
  }

  get used(): number {
    return this.#used
  }

  /** A batch larger than the whole limit fits if the budget is unused. */
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

/** Returns 64 MiB, or a quarter of the heap limit of this process if that is less. */
export function defaultByteLimit(): number {
  const heap = heapLimit()
  return heap > 0 ? Math.min(LARGEST, Math.floor(heap * SHARE)) : LARGEST
}

/** 0 where it is not known: Cloudflare Workers have the module, and say 0 or throw. */
function heapLimit(): number {
  try {
    return builtin('node:v8')?.getHeapStatistics().heap_size_limit ?? 0
  } catch {
    return 0
  }
}
