import type { Attributes } from '@opentelemetry/api'
import type { ByteBudget } from '@svc/core/delivery/byte-budget'
import type { ReadableSpan } from '../sdk.ts'

/** The part of the queue's bytes that may be held: the rest is for what is kept. */
const SHARE = 1 / 2
/** What a span takes beside its texts, in bytes. */
const BESIDE_TEXT = 1_500

export interface Held {
  readonly span: ReadableSpan
  /** The span with what is still to be learned of it. */
  readonly complete: Promise<ReadableSpan> | undefined
}

/** What spans are held for, with these and their bytes. Only {@link HeldSpans} writes them. */
export interface Holder {
  held: Held[]
  bytes: number
}

/** The spans that wait for a decision, in a part of the queue's bytes, which is counted there. */
export class HeldSpans<Each extends Holder> {
  readonly #budget: ByteBudget
  /** Those that hold spans, the oldest first. */
  readonly #holders = new Set<Each>()
  #bytes = 0
  #count = 0

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  get count(): number {
    return this.#count
  }

  /**
   * @param makeRoom called with the oldest holder where there is no room. Returns whether one has been {@link release}d
   * @returns whether there is room for the span, and it is held
   */
  hold(holder: Each, each: Held, makeRoom: (oldest: Each) => boolean): boolean {
    const bytes = bytesOf(each.span)
    while (!this.#hasRoomFor(bytes)) {
      const [oldest] = this.#holders
      if (!oldest || !makeRoom(oldest)) return false
    }
    holder.held.push(each)
    holder.bytes += bytes
    this.#holders.add(holder)
    this.#change(1, bytes)
    return true
  }

  /** Returns what a holder holds, which it does no longer. */
  release(holder: Each): readonly Held[] {
    const { held, bytes } = holder
    if (!this.#holders.delete(holder)) return held
    holder.held = []
    holder.bytes = 0
    this.#change(-held.length, -bytes)
    return held
  }

  #hasRoomFor(bytes: number): boolean {
    return this.#bytes + bytes <= this.#budget.limit * SHARE && this.#budget.hasRoomFor(bytes)
  }

  #change(count: number, bytes: number): void {
    this.#count += count
    this.#bytes += bytes
    this.#budget.take(bytes)
  }
}

/** What a span takes in memory. */
function bytesOf({ name, status, attributes, events, links }: ReadableSpan): number {
  let bytes = BESIDE_TEXT * (1 + events.length + links.length)
  bytes += bytesOfText(name) + bytesOfText(status.message) + bytesOfAll(attributes)
  for (const event of events) bytes += bytesOfText(event.name) + bytesOfAll(event.attributes)
  for (const link of links) bytes += bytesOfAll(link.attributes)
  return bytes
}

function bytesOfAll(attributes: Attributes = {}): number {
  let bytes = 0
  for (const name of Object.keys(attributes)) bytes += name.length + bytesOfText(String(attributes[name]))
  return bytes
}

/** V8 has two bytes for each character of a text with one beyond Latin-1. */
const bytesOfText = (text = ''): number => text.length * (Buffer.byteLength(text) === text.length ? 1 : 2)
