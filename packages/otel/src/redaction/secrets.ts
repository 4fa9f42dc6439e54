import { AFTER_ESCAPE, type Finder, finder, type Occurrence, whole, wholeOf } from './occurrence.ts'

/** How keys of vendors begin, before a sign. What ends with the same letter stands together: it is compared first. */
const VENDORS = [
  // OpenAI, Anthropic, OpenRouter, Stripe, svc. Names of styles begin like this as well: see `isRandom`.
  '(?:[gc]?s|r)k|PMAK',
  '(?:github_pa|dckr_pa|gl(?:pa|d|r|pt|cb|f|soa)|shpa)t',
  'gh[oprsu]|sntry[su]|shpss',
  '(?:xap|sb|nf)p|(?:jin|rp|shp[cp])a|(?:xa|nvap|lin_ap)i|GOCSPX|pplx|(?:tgp|do[opr])_v1',
  'hf|r8|npm|tvly|fw|pul|whsec|figd|xox[a-z]',
].join('|')
/** Begins a character in a URL, which may stand in another one. */
const PERCENT = '%(?:25){0,3}'
/** No word goes on here: an escape of JSON or of a URL may end. */
const START = String.raw`(?:(?<![\w\\-])|${AFTER_ESCAPE}|(?<=${PERCENT}..))`
const anyCase = (words: string): string => words.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
/** What is a key by the name of its header, field, variable or parameter. */
const NAMES = [
  `(?:${anyCase('api|access|secret|private|account|signing|encryption|auth')})[-_ ]?${anyCase('key')}`,
  `(?:(?:${anyCase('api|access|auth|bearer|id|refresh|session|bot|secret')})[-_ ]?|${START})${anyCase('token')}`,
  anyCase('secret|password|passwd|passphrase|authorization'),
].join('|')
const NAMED =
  String.raw`[:=](?<=[dentyDENTY](?:["'\\]{1,8}\s{0,4}|\s{1,4})?[:=])(?<=(?:${NAMES})["'\\]{0,8}\s{0,4}[:=])(?:[=>](?=\s{0,4}\\{0,8}["']))?` +
  String.raw`(?:\s|\\[nrt]){0,4}(?:\\{0,8}["'])?((?:Bearer|Basic|Token|ApiKey)\s{1,4}[\w.~+/=:-]{8,}|(?<=["'])(?![+,;)])[^\s"'\`\\]{8,256}(?=["'\\])|[^\s"'\`\\&,;(){}[\]<>$]{8,})`
/** The same inside of a URL, encoded: `?next=%2F%3Fapi_key%3D…`. */
const NAMED_IN_URL =
  String.raw`${PERCENT}3[aAdD](?<=(?:${NAMES})(?:${PERCENT}(?:22|5[cCdD])){0,4}${PERCENT}3.)(?:${PERCENT}(?:2[02]|5[cC])|\+){0,4}` +
  String.raw`((?:(?:Bearer|Basic|Token|ApiKey)(?:%20|\+))?(?:[\w.~+/-]|${PERCENT}(?:2[bBfF]|3[dD])){8,})`
/** `--api-key 0123…`, also as a list of JSON. */
const FLAG = String.raw`--(?:(?:[a-z]{1,20}-){0,3}(?:${NAMES})|token)["'\\]{0,8}[\s,=]\s{0,4}["'\\]{0,8}([^\s"'\`\\&,;(){}[\]<>$]{8,})`
const SCHEME = /^(?:Bearer|Basic|Token|ApiKey)(?:\s+|%20|\+)/
/** It does not end with half of an escape of JSON. */
const PRIVATE_KEY = String.raw`(-----BEGIN [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,6}-----(?:(?!-----)[\w\s\\+/=,:-]){40,20000}(?<![\s\\])(?:[\s\\nrt]{0,40}-----END [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,6}-----)?)`
/** Up to the last @ before the host. */
const OF_URL = String.raw`:[\\/]{2,6}[^\s/:@?#"'<>\\]{0,64}:([^\s/?#"'<>,\\]{1,256})@`

/** Returns what a match of a form hides. Each form has one group. */
type Reader = (match: RegExpExecArray, group: string) => Occurrence | undefined

/**
 * Each form begins with a character that is rare in a text: V8 looks for all of them at once, many characters at a time, and
 * compares only there, with what stands before as well. So a text without secrets costs next to nothing.
 */
const FORMS: readonly (readonly [form: string, read: Reader])[] = [
  [NAMED, named],
  [String.raw`[-_](?<=${START}((?:${VENDORS})[-_]))[\w-]{12,}`, (match, prefix) => keyOf(match, prefix, isRandom)],
  [FLAG, named],
  [NAMED_IN_URL, named],
  [String.raw`[Bb](?:earer|EARER|asic|ASIC)(?:\s{1,4}|%20|\+)([\w.~+/=-]{16,})`, named],
  [OF_URL, (match, value) => lastOf(match, value, isPassword, 1)],
  [PRIVATE_KEY, (match) => wholeOf(match)],
  // AWS, Google, JSON Web Tokens, SendGrid, Google's access tokens, Telegram.
  [String.raw`[KS](?<=${START}(A[KS]))IA[A-Z\d]{16}(?!\w)`, keyOf],
  [String.raw`z(?<=${START}(AIz))a[\w-]{30,}`, keyOf],
  [String.raw`J(?<=${START}(eyJ))[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}`, keyOf],
  [String.raw`G(?<=${START}(SG))\.[\w-]{16,}\.[\w-]{16,}`, keyOf],
  [String.raw`9(?<=(ya29))\.[\w-]{16,}`, keyOf],
  [String.raw`:(?<=(?<!\d)(\d{8,10}:))AA[\w-]{30,}`, keyOf],
]
const PATTERN = new RegExp(FORMS.map(([form]) => form).join('|'), 'g')
/** Databricks: no character of it is rare. */
const OF_LETTERS = /dapi[a-f\d]{32}/g
/** A property of an object: code that has the value elsewhere. */
const IS_CODE = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|::/
/** What a text has in the place of a value, a mark among it. */
const STANDS_FOR_IT = /^([$%]?[[{<(]|(\$[\w.:]+|%\w|%\w+%|\*+)$)/
/** Characters of what is taken for nothing, and searched once more for what is in it. */
const LONGEST_AGAIN = 512

/** Keys, tokens, private keys, passwords in addresses and values of Authorization headers. */
export const findSecrets: Finder = finder([
  [PATTERN, secretOf],
  [OF_LETTERS, whole],
])

function secretOf(match: RegExpExecArray): Occurrence | undefined {
  const at = match.findIndex((group, at) => at > 0 && group !== undefined)
  const secret = FORMS[at - 1]?.[1](match, match[at] ?? '')
  if (!secret && match[0].length <= LONGEST_AGAIN) PATTERN.lastIndex = match.index + 1
  return secret
}

/** A key of which the match has the last character of its prefix, and the rest. */
function keyOf({ 0: rest, index }: RegExpExecArray, prefix: string, isOne = (_: string) => true) {
  const value = prefix + rest.slice(1)
  return isOne(value) ? { start: index + 1 - prefix.length, end: index + rest.length, value } : undefined
}

/** The value at the end of a match. @param behind characters of the match after it */
function lastOf(
  { 0: { length }, index }: RegExpExecArray,
  value: string,
  isOne: (value: string) => boolean,
  behind = 0,
) {
  const end = index + length - behind
  return isOne(value) ? { start: end - value.length, end, value } : undefined
}

/** What has a name, without the scheme of an Authorization header before it. */
function named(match: RegExpExecArray, value: string) {
  return lastOf(match, value.replace(SCHEME, ''), isValue)
}

/** Names of styles, such as `sk-fading-circle`, are words. */
const isRandom = (key: string): boolean => /\d|[a-z][A-Z]/.test(key) && /[A-Za-z\d]{10}/.test(key)

const isPassword = (value: string): boolean => !STANDS_FOR_IT.test(value)

/** A word is no key, and neither is what code or a template reads it from. */
const isValue = (value: string): boolean =>
  (/\d/.test(value) || value.endsWith('=')) && !IS_CODE.test(value) && isPassword(value)
