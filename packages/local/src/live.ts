import type { ServerResponse } from 'node:http'

/** Milliseconds in which changes are collected into one event. */
const COLLECT_MS = 150
/** Bytes that a reader may leave unread before it is cut off; it comes back by itself. */
const UNREAD = 1024 * 1024
/** Beyond, readers hear that anything may have changed. */
const MAX_IDS = 500

/** Sends changes to open pages as server-sent events. */
export class Live {
  readonly #readers = new Set<ServerResponse>()
  readonly #traces = new Set<string>()
  readonly #things = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  /** Whether a page has ever been opened. */
  watched = false

  /** Keeps an answer open, and writes to it from now on. */
  open(response: ServerResponse): void {
    this.watched = true
    this.#readers.add(response)
    response.on('close', () => this.#readers.delete(response))
    response.write(': open\n\n')
  }

  /** These traces have new observations. */
  announceTraces(ids: Iterable<string>): void {
    if (this.#readers.size === 0) return
    for (const id of ids) this.#traces.add(id)
    this.#timer ??= setTimeout(() => this.#flush(), COLLECT_MS)
  }

  /** Something else was written: `scores`, `prompts`. */
  announce(thing: string): void {
    if (this.#readers.size === 0) return
    this.#things.add(thing)
    this.#timer ??= setTimeout(() => this.#flush(), COLLECT_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const reader of this.#readers) reader.end()
  }

  #flush(): void {
    this.#timer = undefined
    const all = this.#traces.size > MAX_IDS
    const message = JSON.stringify({ traces: all ? [] : [...this.#traces], things: [...this.#things], all })
    this.#traces.clear()
    this.#things.clear()
    for (const reader of this.#readers) {
      if (reader.writableLength > UNREAD) reader.destroy()
      else reader.write(`data: ${message}\n\n`)
    }
  }
}
