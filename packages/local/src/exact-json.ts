// A number of a trace is shown, copied and written again with the text that was sent: 9007199254740993, 1.10, 1e400.

/** An own number of JavaScript would have another text. `JSON.stringify` writes it as it was read. */
interface RawNumber {
  readonly rawJSON: string
}

/** What TypeScript's library does not have yet (https://github.com/tc39/proposal-json-parse-with-source). */
interface SourceJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): RawNumber
  /** Browsers have it since 2023 (Chrome), 2025 (Firefox, Safari); without it numbers are JavaScript's. */
  isRawJSON?(value: unknown): value is RawNumber
}
const { parse, rawJSON, isRawJSON } = JSON as unknown as SourceJson

/** Sixteen digits, an exponent, a zero at the end, a negative zero: only such numbers may lose their text. */
const UNUSUAL_NUMBER = /[[,:\s](?:-?(?:[\d.]{16}|[\d.]+[eE]|\d+\.\d*0(?!\d))|-0(?![\d.]))/
/** Is looked for by itself: as a choice of the other pattern it would make that three times as slow. */
const BARE_NUMBER = /^[-\d]/

/**
 * Reads JSON as `JSON.parse` does, but keeps the text of each number that JavaScript writes in another way.
 *
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  return BARE_NUMBER.test(text) || UNUSUAL_NUMBER.test(text) ? parse(text, keepText) : JSON.parse(text)
}

const keepText = (_: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value

/** Finds the text of a number that {@link parseExactly} kept. */
export const findNumberText = (value: unknown): string | undefined => (isRawJSON?.(value) ? value.rawJSON : undefined)

/** What `String` makes of a value; it would throw for a number with a text of its own. */
export const writeText = (value: unknown): string => findNumberText(value) ?? String(value)

/** Returns whether a value is a number, with a text of its own or not. */
export const isNumber = (value: unknown): boolean => typeof value === 'number' || findNumberText(value) !== undefined

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The number that a text is, which keeps that text; `NaN`, and what is no number, stay text. */
export function exactNumber(text: string): unknown {
  if (JSON_NUMBER.test(text)) return parseExactly(text)
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) ? number : text
}
