import { parsedJson } from '@svc/core/json'

/**
 * Returns what stands on both sides of a mark in the place of a part of the text: quotes where it was a number of JSON,
 * else nothing; undefined where the part has to stay. To be asked in the order of the text.
 */
export type QuotesAt = (start: number, end: number) => string | undefined

const NUMBER = /^-?\d+(?:\.\d+)?$/
const BEFORE_NUMBER = /[[,:\s]$/
const BEHIND_NUMBER = /^[\],}\s]/
/** A number or key of JSON inside of a text of JSON: tools have their arguments so. */
const INNER_NUMBER = /(?<!\\)(\\+")\s*:\s*$/
const INNER_KEY_BEFORE = /[{,]\s*\\+"[^"\\]*$/
const INNER_KEY_BEHIND = /^[^"\\]*\\+"\s*:/
const LONGEST_KEY = 256

/** In JSON a number becomes a string, and keys keep their form. In any other text, everything may be replaced. */
export function quotesIn(text: string): QuotesAt {
  if (!/^\s*[[{"]/.test(text)) return () => ''
  let json: boolean | undefined
  const unlessJson = (quotes?: string) => {
    // Parsing costs more than the search did, and few values stand where it matters.
    json ??= parsedJson(text) !== undefined
    return json ? quotes : ''
  }
  // From one quote to the next.
  let [open, quote, isString] = [0, text.indexOf('"'), false]
  return (start, end) => {
    while (quote >= 0 && quote < start) {
      open = quote
      isString = !isString
      quote = isString ? closing(text, quote + 1) : text.indexOf('"', quote + 1)
    }
    const before = text.slice(Math.max(open, start - LONGEST_KEY), start)
    const behind = text.slice(end, end + LONGEST_KEY)
    const isNumber = NUMBER.test(text.slice(start, end))
    if (!isString) {
      const isWhole = isNumber && BEFORE_NUMBER.test(before) && BEHIND_NUMBER.test(behind)
      return unlessJson(isWhole ? '"' : undefined)
    }
    if (end > quote || isKey(text, quote)) return unlessJson()
    if (isNumber) return INNER_NUMBER.exec(before)?.[1] ?? ''
    return INNER_KEY_BEHIND.test(behind) && INNER_KEY_BEFORE.test(before) ? undefined : ''
  }
}

/** Whether the string that ends here is a key. */
const isKey = (text: string, quote: number): boolean => /^\s*:/.test(text.slice(quote + 1, quote + 20))

function closing(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return quote
  }
  return -1
}
