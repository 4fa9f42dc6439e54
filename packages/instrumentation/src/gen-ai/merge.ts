/**
 * Merges the deltas of a stream into the value that the provider would have sent in one piece. A table says how each
 * field merges, and is nested like the value; fields that it does not name are dropped.
 */
import { IndexedBuffer, TextBudget, TextBuffer } from './buffers.ts'
import { asArray, asNumber, asRecord, type Fields, isObject } from './read.ts'

/** One field whose deltas are being merged. */
export interface Merged {
  /** Adds a delta, which is neither null nor undefined; true when it brings something the model said. */
  add(delta: unknown): boolean
  /** The value so far; undefined when no delta brought anything. */
  readonly whole: unknown
}

/** How the deltas of a field merge. All texts of one answer share `room`. */
export type Rule = (room: TextBudget) => Merged

/** Field → how it merges. */
export interface Table {
  readonly [field: string]: Rule | Table
}

/** An object with more fields than that is no provider's. */
const FIELD_LIMIT = 128

/** Starts to merge by a table. */
export function merging(table: Table): Merged {
  return fields(table)(new TextBudget())
}

/** Pieces of a text, which are appended. Only so much is kept, as `TextBuffer` bounds it. */
export const text: Rule = (room) => {
  const pieces = new TextBuffer(room)
  return {
    add: (delta) => pieces.add(delta),
    get whole() {
      return pieces.text
    },
  }
}

/** Pieces of a name. Some servers repeat the whole name with every delta. */
export const name: Rule = (room) => {
  const pieces = new TextBuffer(room)
  return {
    add: (delta) => delta !== pieces.text && pieces.add(delta),
    get whole() {
      return pieces.text
    },
  }
}

/** The first value. */
export const first = keeping((known, value) => known ?? value)

/** The newest value that is no empty text. */
export const last = keeping((known, value) => (value === '' ? known : value))

/** The newest object, in place of the one before. */
export const object = keeping((known, value) => (isObject(value) ? value : known))

/** An object that arrives in parts: newer fields over older ones, unless they are null. */
export const shallow = keeping((known, value) => {
  if (!isObject(value)) return known
  const entries = Object.entries(value).filter(([, field]) => field !== null && field !== undefined)
  // Entries and not assignments: a field may be called __proto__.
  const merged = Object.entries({ ...asRecord(known), ...Object.fromEntries(entries) })
  return Object.fromEntries(merged.slice(0, FIELD_LIMIT))
})

/** Whatever arrives counts as said by the model, even if it is no text. */
export function said(rule: Rule | Table): Rule {
  const inner = ruleOf(rule)
  return (room) => {
    const merged = inner(room)
    return {
      add(delta) {
        merged.add(delta)
        return true
      },
      get whole() {
        return merged.whole
      },
    }
  }
}

/**
 * Entries that arrive in pieces, in the order of arrival; as many as `IndexedBuffer` keeps.
 *
 * @param place the number of the entry that a delta belongs to; undefined drops it. Default: its `index`, or else 0
 */
export function list(
  entry: Rule | Table,
  place: (delta: Fields, position: number) => number | undefined = indexOf,
): Rule {
  const rule = ruleOf(entry)
  return (room) => {
    const entries = new IndexedBuffer(() => rule(room))
    return {
      add(deltas) {
        let spoken = false
        let position = 0
        for (const delta of asArray(deltas)) {
          const at = place(asRecord(delta), position)
          position += 1
          if (at !== undefined) spoken = entries.at(at)?.add(delta) || spoken
        }
        return spoken
      },
      get whole() {
        return entries.all.map(({ whole }) => whole)
      },
    }
  }
}

/** The number that a delta has for its entry; without one it is the first. */
function indexOf({ index }: Fields): number {
  return asNumber(index) ?? 0
}

function fields(table: Table): Rule {
  const names = Object.keys(table)
  const rules = Object.values(table).map(ruleOf)
  return (room) => {
    // Most fields of a table never arrive: each is made with its first delta.
    const merged: (Merged | undefined)[] = rules.map(() => undefined)
    return {
      // Once for every chunk of every stream: a loop over numbers is the fast way.
      add(delta) {
        const deltas = asRecord(delta)
        let spoken = false
        for (let at = 0; at < names.length; at += 1) {
          const value = deltas[names[at] as string]
          if (value === null || value === undefined) continue
          const known = merged[at] ?? (rules[at] as Rule)(room)
          merged[at] = known
          spoken = known.add(value) || spoken
        }
        return spoken
      },
      get whole() {
        const wholes = names.map((field, at) => [field, merged[at]?.whole] as const)
        const there = wholes.filter(([, whole]) => whole !== undefined)
        return there.length > 0 ? Object.fromEntries(there) : undefined
      },
    }
  }
}

function ruleOf(rule: Rule | Table): Rule {
  return typeof rule === 'function' ? rule : fields(rule)
}

/** A value of which one is kept. */
function keeping(choose: (known: unknown, value: unknown) => unknown): Rule {
  return () => {
    let known: unknown
    return {
      add(value) {
        known = choose(known, value)
        return false
      },
      get whole() {
        return known
      },
    }
  }
}
