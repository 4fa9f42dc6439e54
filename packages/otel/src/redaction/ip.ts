import type { NumberForm } from './occurrence.ts'

const BYTES = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}$/
/** What stands before a version: `Chrome/120.0.0.0`, `app-1.2.3.4.tgz`, `version: 1.2.3.4`. */
const VERSION = /(?:\w\/|[a-z]-|\bv\.?|(?:ver|version|build|release)\.?["'\s:=]{0,4})$/i
/** Four groups of one digit. */
const LONGEST_CHAPTER = 7
/** This machine, all and none: nobody's. */
const NOBODY = /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.)/

/** Addresses of the Internet Protocol, version 4. */
export const IP_4: NumberForm = {
  kind: 'ip',
  inRun: String.raw`(?<=(?<!\.)().)\d{0,2}(?:\.\d{1,3}){3}(?!\w|\.\d|-[a-zA-Z])`,
  read: (value, text, start) => (isV4(value, text, start) ? { length: value.length, value } : undefined),
}

/** Version 6, from its first colon on. Times have no more than two. What ends with one of version 4 is hidden as that. */
export const IP_6: NumberForm = {
  kind: 'ip',
  form: String.raw`:(?=[\da-fA-F]{0,4}:)(?<=(?<![\w:.])([\da-fA-F]{0,4}):)(?=[\da-fA-F:]{0,34}?::|:|(?:[\da-fA-F]{1,4}:){6})(?:[\da-fA-F]{0,4}:){1,6}[\da-fA-F]{0,4}(?![\w:]|(?:\.\d{1,3}){3})`,
  read: (written) => (isV6(written) ? { length: written.length, value: written.toLowerCase() } : undefined),
}

function isV4(address: string, text: string, at: number): boolean {
  // Numbers of chapters, and of versions.
  if (address.length === LONGEST_CHAPTER || !BYTES.test(address)) return false
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
