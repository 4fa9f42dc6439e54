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
   * @param giveUp called with the oldest holder where there is no room; has to {@link release} it
   * @returns whether the span is held; if false, there is no room beside older spans of the same holder
   */
  hold(holder: Each, each: Held, giveUp: (oldest: Each) => void): boolean {
    const bytes = bytesOf(each.span)
    while (!this.#hasRoomFor(bytes)) {
      const [oldest] = this.#holders
      if (!oldest || oldest === holder) return false
      giveUp(oldest)
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

/** What a span takes in memory at most: V8 has two bytes for each character of a text with one beyond Latin-1. */
function bytesOf({ name, status, attributes, events, links }: ReadableSpan): number {
  let characters = name.length + (status.message?.length ?? 0) + charactersIn(attributes)
  for (const event of events) characters += event.name.length + charactersIn(event.attributes)
  for (const link of links) characters += charactersIn(link.attributes)
  return 2 * characters + BESIDE_TEXT * (1 + events.length + links.length)
}

function charactersIn(attributes: Attributes = {}): number {
  let characters = 0
  for (const name of Object.keys(attributes)) characters += name.length + String(attributes[name]).length
  return characters
}
