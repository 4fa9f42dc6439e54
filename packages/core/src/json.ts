/** Written in place of a value that has no JSON form (a cycle, a throwing getter, nesting beyond the stack). */
export const FAILED_TO_SERIALIZE = '<failed to serialize>'

/** Longest propagated value, in UTF-16 units; for metadata it applies to the JSON text (contract 2.5). */
export const PROPAGATED_LIMIT = 200

/**
 * Most metadata keys that are propagated. Each becomes an attribute of every span below, and a span has room for 128
 * by default: half of them stay for what the span has to say itself (contract 2.3, the attribute-count rule).
 */
export const PROPAGATED_METADATA_KEYS = 64

/**
 * Input and output rule (contract 2.3): a string as it is, anything else as JSON text.
 *
 * @returns undefined for null and undefined (nothing is written); never throws.
 */
export function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value, tolerant)
  } catch {
    return FAILED_TO_SERIALIZE
  }
}

/**
 * Metadata rule (contract 2.3): always JSON text, strings included, so that `"3"` and `3` stay different.
 *
 * @returns undefined for what has no JSON form (null, undefined, functions, symbols); never throws.
 */
export function toMetadataText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  try {
    return JSON.stringify(value, tolerant)
  } catch {
    return JSON.stringify(FAILED_TO_SERIALIZE)
  }
}

/** Undoes {@link toMetadataText}. Text that is not JSON (written by foreign code) is returned as it is. */
export function fromMetadataText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

// What JSON cannot say: bigint as a number where that is exact, else its digits; NaN and infinities as words.
function tolerant(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') {
    const exact = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
    return exact ? Number(value) : value.toString()
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return value
}
