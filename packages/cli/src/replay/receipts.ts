import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'

/** Milliseconds after which a piece counts as read: its reader may have stopped. */
const PATIENCE_MS = 1_000

/**
 * What the redirected process has read of the answers, which it says over a connection of its own: a line with the id of
 * a request and the bytes so far. What arrives together is read as one, so that pieces stay pieces only one by one.
 */
export class Receipts {
  readonly #bytes = new Map<string, number>()
  readonly #look = new Set<() => void>()
  readonly #connections = new Set<Duplex>()

  listen(connection: Duplex): void {
    this.#connections.add(connection)
    connection.on('error', () => connection.destroy()).on('close', () => this.#connections.delete(connection))
    createInterface({ input: connection }).on('line', (line) => {
      const [id = '', bytes] = line.split(' ', 2)
      // Of other answers nobody wants to know.
      if (this.#bytes.has(id)) this.#bytes.set(id, Number(bytes))
      for (const look of this.#look) look()
    })
  }

  /** Resolves when so many bytes of an answer have been read. */
  async read(id: string, bytes: number): Promise<void> {
    if (!this.#bytes.has(id)) this.#bytes.set(id, 0)
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#look.delete(look)
        resolve()
      }
      const look = () => {
        if (Number(this.#bytes.get(id)) >= bytes) done()
      }
      const timer = setTimeout(done, PATIENCE_MS).unref()
      this.#look.add(look)
      look()
    })
  }

  /** The answer is over. */
  forget(id: string): void {
    this.#bytes.delete(id)
  }

  /** A program that the command has left behind keeps its connection. */
  close(): void {
    for (const connection of this.#connections) connection.destroy()
  }
}
