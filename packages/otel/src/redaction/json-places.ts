import { parsedJson } from '@svc/core/json'

/**
 * Returns what stands on both sides of a mark in the place of a part of the text: quotes where it was a number of JSON,
 * else nothing; undefined where the part has to stay. To be asked in the order of the text.
 */
export type QuotesAt = (start: number, end: number) => string | undefined

const NUMBER = /^-?\d+(?:\.\d+)?$/
/** Of JSON, or of JSON inside of a text of JSON, with its line breaks: tools have their arguments so. */
const BEFORE_NUMBER = /[[,:](?:\s|\\+[nrt])*$/
const BEHIND_NUMBER = /^(?:\s|\\+[nrt])*[\],}]/
const INNER_KEY_BEFORE = /[{,](?:\s|\\+[nrt])*\\+"[^"\\]*$/
const INNER_KEY_BEHIND = /^[^"\\]*\\+"\s*:/
/** What stands behind a quote that begins a list or an object, and behind one that ends a text in them. */
const BEHIND_QUOTE = /^(?:\s|\\+[nrt])*(?:([[{])|[:,\]}])/
const LONGEST_KEY = 256
/** JSON in JSON, five times. */
const MOST_BACKSLASHES = 31

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
  // The last one before, of any depth, and the next.
  let [last, next] = [quote, quote]
  return (start, end) => {
    while (next >= 0 && next < start) {
      last = next
      next = text.indexOf('"', next + 1)
    }
    while (quote >= 0 && quote < start) {
      open = quote
      isString = !isString
      quote = isString ? closing(text, quote + 1) : text.indexOf('"', quote + 1)
    }
    const before = text.slice(Math.max(open, start - LONGEST_KEY), start)
    const behind = text.slice(end, end + LONGEST_KEY)
    const isNumber = NUMBER.test(text.slice(start, end)) && BEFORE_NUMBER.test(before) && BEHIND_NUMBER.test(behind)
    if (!isString) return unlessJson(isNumber ? '"' : undefined)
    if (end > quote || isKey(text, quote)) return unlessJson()
    if (INNER_KEY_BEHIND.test(behind) && INNER_KEY_BEFORE.test(before)) return undefined
    return isNumber ? innerQuote(text, last) : ''
  }
}

/** Whether the string that ends here is a key. */
const isKey = (text: string, quote: number): boolean => /^\s*:/.test(text.slice(quote + 1, quote + 20))

/** Returns the quotes of a number of JSON inside of a text, by the last quote before it; nothing where it is no JSON. */
function innerQuote(text: string, last: number): string {
  const match = BEHIND_QUOTE.exec(text.slice(last + 1, last + LONGEST_KEY))
  if (!match) return ''
  let backslashes = 0
  while (text[last - 1 - backslashes] === '\\' && backslashes < MOST_BACKSLASHES) backslashes += 1
  // A text of the outermost JSON that goes on like a list.
  if (backslashes === 0 && !match[1]) return ''
  // A text that begins there has quotes of the next depth.
  return `${'\\'.repeat(match[1] ? 2 * backslashes + 1 : backslashes)}"`
}

function closing(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return quote
  }
  return -1
}
