import { type Finder, finder, type Occurrence } from './occurrence.ts'

const BYTE = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
/** From its first dot or colon, which is found faster; the first group of digits stands before it. */
const V4 = new RegExp(String.raw`\.(?<=(?<![\w.])(${BYTE})\.)(?:${BYTE}\.){2}${BYTE}(?!\w|\.\d|-[a-zA-Z])`, 'g')
/** Times have no more than two colons. */
const V6 =
  /:(?=[\da-fA-F]{0,4}:)(?<=(?<![\w:.])([\da-fA-F]{0,4}):)(?=[\da-fA-F:]{0,34}?::|:|(?:[\da-fA-F]{1,4}:){6})(?:[\da-fA-F]{0,4}:){1,6}[\da-fA-F]{0,4}(?![\w:])/g
/** What stands before a version: `Chrome/120.0.0.0`, `app-1.2.3.4.tgz`, `version: 1.2.3.4`. */
const VERSION = /(?:\w\/|[a-z]-|\bv\.?|(?:ver|version|build|release)\.?["'\s:=]{0,4})$/i
/** Four groups of one digit. */
const LONGEST_CHAPTER = 7
/** This machine, all and none: nobody's. */
const NOBODY = /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.)/

/** Addresses of the Internet Protocol, versions 4 and 6. */
export const findIps: Finder = finder([
  [V4, (match, text) => addressOf(match, isV4, text)],
  [V6, (match, text) => addressOf(match, isV6, text)],
])

function addressOf(
  { 0: rest, 1: first = '', index }: RegExpExecArray,
  isOne: (value: string, text: string, at: number) => boolean,
  text: string,
): Occurrence | undefined {
  const [start, value] = [index - first.length, (first + rest).toLowerCase()]
  return isOne(value, text, start) ? { start, end: index + rest.length, value } : undefined
}

function isV4(address: string, text: string, at: number): boolean {
  // Numbers of chapters, and of versions.
  if (address.length === LONGEST_CHAPTER) return false
  return !NOBODY.test(address) && !VERSION.test(text.slice(Math.max(0, at - 12), at))
}

/** Names in code are like some of them: `dead::beef`. */
function isV6(address: string): boolean {
  const groups = address.split(':')
  const digits = address.replaceAll(':', '')
  if (digits.length < 5 || !/\d/.test(digits)) return false
  const gaps = address.split('::').length - 1
  return gaps === 0 ? groups.length === 8 && !groups.includes('') : gaps === 1 && groups.filter(Boolean).length < 8
}
