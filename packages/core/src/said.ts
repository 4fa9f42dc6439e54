/** Most messages that are alike. */
const ALIKE = 20
/** Most kinds of messages. There are far fewer in the packages, except where a text begins with what users wrote. */
const KINDS = 1_000
/** Characters of a message by which it is known again. */
const LONGEST = 500
/** Characters at the beginning of a message that make its kind. */
const BEGINNING = 40

/**
 * Which messages were said, within bounds. Messages that begin alike are one kind, and have room of their own: what
 * differs in them comes from users, and must not use up the room of others.
 */
export class Memory {
  readonly #kinds = new Map<string, Set<string>>()

  /** @param about what the message is about, where its text varies */
  isNew(message: string, about?: string): boolean {
    const kind = about === undefined ? kindOf(message) : `about ${about}`
    const said = this.#kinds.get(kind)
    const text = about ?? message.slice(0, LONGEST)
    if (said && (said.has(text) || said.size >= ALIKE)) return false
    // The oldest kind may be said again: better than to say nothing new any more.
    if (!said && this.#kinds.size >= KINDS) this.#kinds.delete(this.#kinds.keys().next().value as string)
    if (said) said.add(text)
    else this.#kinds.set(kind, new Set([text]))
    return true
  }
}

/** The beginning of a message without what varies: quoted texts and digits. */
function kindOf(message: string): string {
  return message
    .slice(0, LONGEST)
    .replaceAll(/"[^"]*"?|\d+/g, '…')
    .slice(0, BEGINNING)
}
