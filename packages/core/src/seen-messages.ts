/** Maximum number of messages of one kind. */
const ALIKE = 20
/** Maximum number of kinds. The packages have far fewer, unless messages begin with a value from the user. */
const KINDS = 1_000
/** Number of characters of a message that are compared. */
const LONGEST = 500
/** Number of characters that determine the kind of a message. */
const BEGINNING = 40

/**
 * Remembers which messages were logged, in bounded memory. Messages with the same beginning are one kind, and each kind
 * has its own limit, so that values in one kind of message never suppress the others.
 */
export class SeenMessages {
  readonly #kinds = new Map<string, Set<string>>()

  /** @param about the subject of a message whose text varies */
  isNew(message: string, about?: string): boolean {
    const kind = about || kindOf(message)
    const seen = this.#kinds.get(kind) ?? new Set()
    const text = about || message.slice(0, LONGEST)
    if (seen.has(text) || seen.size >= ALIKE) return false
    // If the oldest kind is forgotten it may be logged again; if it were kept, new kinds would be suppressed.
    if (seen.size === 0 && this.#kinds.size >= KINDS) this.#kinds.delete(this.#kinds.keys().next().value as string)
    this.#kinds.set(kind, seen.add(text))
    return true
  }
}

/** Returns the beginning of a message without its variable parts: quoted strings and digits. */
function kindOf(message: string): string {
  return message
    .slice(0, LONGEST)
    .replaceAll(/"[^"]*"?|\d+/g, '…')
    .slice(0, BEGINNING)
}
