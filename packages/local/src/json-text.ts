import { parseExactly } from './exact-json.ts'

// JSON.parse reads any depth, but JSON.stringify and the page recurse.
const MAX_DEPTH = 500
/** Most values that are built of a text: a list of empty lists takes twenty times the bytes of its text. */
export const MAX_VALUES = 400_000

/** The value of JSON text; the text itself when it is not JSON, or nested too deep or of too many values to be built. */
export function decoded(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  const size = measured(text)
  if (isTooDeep(size) || isTooMuch(size)) return text
  try {
    return parse(text)
  } catch {
    return text
  }
}

/** {@link decoded}, where there is a text. */
export const decodedOrNull = (text: string | null): unknown => (text === null ? null : decoded(text))

/** {@link decoded}, with the text of each number as it was sent. */
export const decodedExactly = (text: string): unknown => decoded(text, parseExactly)

/** The size of what JSON text would become, without building it. */
export interface JsonSize {
  readonly depth: number
  /** Lists and objects. */
  readonly containers: number
  /** Of lists and objects, themselves included. */
  readonly values: number
}

/** Returns whether JSON text is nested deeper than what can be written again. */
export const isTooDeep = ({ depth }: JsonSize): boolean => depth > MAX_DEPTH
export const isTooMuch = ({ values }: JsonSize): boolean => values > MAX_VALUES

/** Counts what a text would become. What is no JSON counts for something, too. */
export function measured(text: string): JsonSize {
  let [depth, deepest, containers, commas] = [0, 0, 0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfText(text, at)
    else if (character === COMMA) commas += 1
    else if (character === BRACKET.open || character === BRACE.open) {
      containers += 1
      depth += 1
      if (depth > deepest) deepest = depth
    } else if (character === BRACKET.close || character === BRACE.close) depth -= 1
  }
  return { depth: deepest, containers, values: containers + commas }
}

/** Returns where the text ends that begins with the quote at `from`. */
export function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const BRACKET = { open: 0x5b, close: 0x5d }
const BRACE = { open: 0x7b, close: 0x7d }
