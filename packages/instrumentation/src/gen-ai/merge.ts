/**
 * Merges the deltas of a stream into the value that the provider would have sent in one piece. A table describes how
 * each field merges and is nested like the value; fields that it does not name are dropped.
 */
import { toBoundedJson } from './bounded-json.ts'
import { IndexedBuffer, TextBudget, TextBuffer } from './buffers.ts'
import { asArray, asNumber, asRecord, type Fields, isObject } from './read.ts'

/** Merges the deltas of one field. */
export interface Merger {
  /** Adds a delta, which is neither null nor undefined. Returns true if it contains output of the model. */
  add(delta: unknown): boolean
  /** The value so far; undefined if no delta added anything. */
  readonly value: unknown
}

/** Creates a merger. All texts of one response share `budget`. */
export type MergeRule = (budget: TextBudget) => Merger

/** Maps fields to how they merge. */
export interface MergeTable {
  readonly [field: string]: MergeRule | MergeTable
}

/** Most fields of a merged object; no provider sends more. */
const FIELD_LIMIT = 128

export function createMerger(table: MergeTable): Merger {
  return mergeFields(table)(new TextBudget())
}

/** Appends pieces of a text, within the budget of {@link TextBuffer}. */
export const text: MergeRule = (budget) => {
  const pieces = new TextBuffer(budget)
  return {
    add: (delta) => pieces.add(delta),
    get value() {
      return pieces.text
    },
  }
}

/** Appends pieces of a JSON text. Some servers send the value itself. */
export const json: MergeRule = (budget) => {
  const pieces = new TextBuffer(budget)
  return {
    add: (delta) => pieces.add(isObject(delta) ? toBoundedJson(delta) : delta),
    get value() {
      return pieces.text
    },
  }
}

/** Appends pieces of a name. Some servers repeat the whole name with every delta. */
export const name: MergeRule = (budget) => {
  const pieces = new TextBuffer(budget)
  return {
    add: (delta) => delta !== pieces.text && pieces.add(delta),
    get value() {
      return pieces.text
    },
  }
}

/** Keeps the oldest value that is not an empty string, which Azure sends before it knows one. */
export const first = keepOne((current, value) => current || value)

/** Keeps the newest value that is not an empty string. */
export const last = keepOne((current, value) => (value === '' ? current : value))

/** Keeps the largest number. */
export const largest = keepOne((current, value) => Math.max(asNumber(current) ?? 0, asNumber(value) ?? 0))

/** Keeps the newest object. */
export const object = keepOne((current, value) => (isObject(value) ? value : current))

/** Keeps all values, in order of arrival. */
export const each: MergeRule = () => {
  const values: unknown[] = []
  return {
    add(value) {
      if (values.length < EACH_LIMIT) values.push(value)
      return false
    },
    get value() {
      return values
    },
  }
}

const EACH_LIMIT = 1_000

/** Merges objects one level deep: newer fields replace older ones unless they are null. */
export const shallow = keepOne((current, value) => {
  if (!isObject(value)) return current
  const entries = Object.entries(value).filter(([, field]) => field !== null && field !== undefined)
  // Entries instead of assignments, because a field may be called __proto__.
  const merged = Object.entries({ ...asRecord(current), ...Object.fromEntries(entries) })
  return Object.fromEntries(merged.slice(0, FIELD_LIMIT))
})

/** Counts whatever arrives as output of the model, even if it is not text. */
export function countsAsOutput(rule: MergeRule | MergeTable): MergeRule {
  const inner = asRule(rule)
  return (budget) => {
    const merged = inner(budget)
    return {
      add(delta) {
        merged.add(delta)
        return !Array.isArray(delta) || delta.length > 0
      },
      get value() {
        return merged.value
      },
    }
  }
}

/**
 * Merges a list whose entries arrive in pieces, in order of arrival, up to the limit of {@link IndexedBuffer}.
 *
 * @param entryIndex returns the index of the entry that a delta belongs to; undefined drops the delta. Default: its
 *   `index`, or else 0
 * @param readId returns the id of an entry from a delta that has it: another id at the same index begins another entry.
 *   Some servers send all entries with index 0
 */
export function list(
  entry: MergeRule | MergeTable,
  entryIndex: (delta: Fields, position: number) => number | undefined = readIndex,
  readId?: (delta: Fields) => string | undefined,
): MergeRule {
  const rule = asRule(entry)
  return (budget) => {
    const entries = new IndexedBuffer(() => rule(budget))
    const placeOf = readId ? placesById(readId) : (index: number) => index
    return {
      add(deltas) {
        let hasOutput = false
        let position = 0
        for (const delta of asArray(deltas)) {
          const at = entryIndex(asRecord(delta), position)
          position += 1
          if (at !== undefined) hasOutput = entries.at(placeOf(at, asRecord(delta)))?.add(delta) || hasOutput
        }
        return hasOutput
      },
      get value() {
        return entries.all.map(({ value }) => value)
      },
    }
  }
}

/** Returns the place of an entry: its index, until another id comes at that index. */
function placesById(readId: (delta: Fields) => string | undefined): (index: number, delta: Fields) => number {
  const current = new Map<number, { readonly id: string; readonly place: number }>()
  // Places beside those of all indexes.
  let others = 0
  return (index, delta) => {
    const id = readId(delta)
    const known = current.get(index)
    if (id === undefined || id === known?.id) return known?.place ?? index
    const place = known ? --others : index
    current.set(index, { id, place })
    return place
  }
}

/** Reads the index of a delta's entry. A delta without one belongs to the first entry. */
function readIndex({ index }: Fields): number {
  return asNumber(index) ?? 0
}

function mergeFields(table: MergeTable): MergeRule {
  const names = Object.keys(table)
  const rules = Object.values(table).map(asRule)
  return (budget) => {
    // Most fields of a table never arrive: each merger is created with the first delta.
    const merged: (Merger | undefined)[] = rules.map(() => undefined)
    return {
      // Called for every chunk of every stream. Not over the fields of the chunk: a hostile one has a million of them.
      add(delta) {
        const deltas = asRecord(delta)
        let hasOutput = false
        for (let at = 0; at < names.length; at += 1) {
          const value = deltas[names[at] as string]
          if (value === null || value === undefined) continue
          const current = merged[at] ?? (rules[at] as MergeRule)(budget)
          merged[at] = current
          hasOutput = current.add(value) || hasOutput
        }
        return hasOutput
      },
      get value() {
        const wholes = names.map((field, at) => [field, merged[at]?.value] as const)
        const present = wholes.filter(([, value]) => value !== undefined)
        return present.length > 0 ? Object.fromEntries(present) : undefined
      },
    }
  }
}

function asRule(rule: MergeRule | MergeTable): MergeRule {
  return typeof rule === 'function' ? rule : mergeFields(rule)
}

/** Creates a rule that keeps one of the values. */
function keepOne(choose: (current: unknown, value: unknown) => unknown): MergeRule {
  return () => {
    let current: unknown
    return {
      add(value) {
        current = choose(current, value)
        return false
      },
      get value() {
        return current
      },
    }
  }
}
