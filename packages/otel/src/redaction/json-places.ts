import { parsedJson } from '@svc/core/json'

/** Whether a part of the text may be replaced. To be asked in the order of the text. */
export type MayReplace = (start: number, end: number) => boolean

/** A number or key of JSON inside of a text of JSON: tools have their arguments so. */
const INNER_NUMBER = /\\"\s*:\s*$/
const INNER_KEY_BEFORE = /[{,]\s*\\+"[^"\\]*$/
const INNER_KEY_BEHIND = /^[^"\\]*\\+"\s*:/
const LONGEST_KEY = 256

/** In JSON the values of strings may be replaced; numbers and keys keep their form. In any other text, everything. */
export function placesOf(text: string): MayReplace {
  if (!/^\s*[[{"]/.test(text) || parsedJson(text) === undefined) return () => true
  // From one quote to the next.
  let [open, quote, isString] = [0, text.indexOf('"'), false]
  return (start, end) => {
    while (quote >= 0 && quote < start) {
      open = quote
      isString = !isString
      quote = isString ? closing(text, quote + 1) : text.indexOf('"', quote + 1)
    }
    if (!isString || isKey(text, quote)) return false
    const before = text.slice(Math.max(open, start - LONGEST_KEY), start)
    const behind = text.slice(end, end + LONGEST_KEY)
    if (/^[\d.]+$/.test(text.slice(start, end)) && INNER_NUMBER.test(before)) return false
    return !(INNER_KEY_BEHIND.test(behind) && INNER_KEY_BEFORE.test(before))
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
