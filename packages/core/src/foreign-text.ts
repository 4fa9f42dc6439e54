import { formsOf, knownForms, LONGEST_FORM } from './secrets.ts'

/**
 * Text from outside: what a service, a vendor, a client, a file or a library says. It may be of any length, repeat the
 * keys of the request it is about, and tell a terminal what to do.
 */

const HIDDEN = '(hidden)'

/** Characters of a text that are kept. */
export const LONGEST = 65_536

/**
 * The forms in which servers, gateways and failed connections repeat the key of a request in their error messages. The text
 * comes from anybody: a lookahead without a bound, where names follow each other in one word, would take time that grows
 * with the square of its length.
 */
const SHAPES: readonly (readonly [find: RegExp, replacement: string])[] = [
  // By the prefixes of vendors. Names of models and packages start with some of them, too.
  [/\b(?:sk|nvapi)[-_][\w-]{8,}|\b(?:[rp]k_(?:live|test)|gsk|xai|pplx|hf|r8)[-_][A-Za-z0-9]{16,}/g, HIDDEN],
  [/\bAIza[\w-]{20,}/g, HIDDEN],
  // By the name of the header, field or parameter. A value without a digit is a word and not a key.
  [
    /((?:\bauthorization|api[-_]?key|access[-_]?token|secret[-_]?key|client[-_]?secret|[?&](?:key|token))["'\\]*\s*[:=]\s*["'\\]*(?:(?:Bearer|Basic)\s+|(?=[^\s"'\\&,;}]{0,64}\d)))[^\s"'\\&,;}]{8,}/gi,
    `$1${HIDDEN}`,
  ],
  [/(\b(?:Bearer|Basic)\s+)(?=\S{0,64}\d)[\w.~+/=-]{8,}/gi, `$1${HIDDEN}`],
  // The password in a URL, up to the last @ before the host.
  [/(:\/\/[^\s/:@?#]*:)[^\s/?#"'<>,]+(?=@)/g, `$1${HIDDEN}`],
]

const BESIDE_HIDDEN = /\(hidden\)[\w-]+/g

/** White space, and what a terminal obeys or does not show: control, C1, bidirectional and zero-width characters. */
// Texts: V8 looks up all characters of a category when it reads a literal, which was a fifth of what a start costs.
const UNSEEN = String.raw`[\s\p{Cc}\p{Cf}\p{Cs}]+`
const UNPRINTABLE = String.raw`(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]`

/**
 * Returns text from outside as one line for a terminal, a log or an error: without keys and control characters, and no
 * longer than `longest`.
 */
export function foreignText(text: unknown, longest = 200): string {
  return shortened(redactKeys(asText(text)).replace(new RegExp(UNSEEN, 'gu'), ' ').trim(), longest)
}

/** The same for a report of several lines: line breaks and indentation stay. */
export function foreignLines(text: string, longest = LONGEST): string {
  return redactKeys(text, [], longest).replace(new RegExp(UNPRINTABLE, 'gu'), ' ')
}

/**
 * Returns what is logged beside a line as text, which shows no more than was looked through: of an error its stack, indented,
 * so that none of its lines looks like one of the log, and of any other object its JSON.
 */
export function foreignDetail(detail: unknown): unknown {
  const stack = stackOf(detail)
  if (stack) return foreignLines(stack).replace(/\n(?! {4})/g, '\n    ')
  if (Object(detail) === detail) return foreignText(asJson(detail) ?? detail, LONGEST)
  return typeof detail === 'string' ? foreignText(detail, LONGEST) : detail
}

/** An error of another realm (`node:vm`, jest) is no instance of `Error`. */
function stackOf(value: unknown): string | undefined {
  try {
    const { stack } = Object(value) as { stack?: unknown }
    return typeof stack === 'string' ? stack || String(value) : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns a text, such as an error message in a span, with its keys, tokens and passwords replaced by `(hidden)`: first
 * those that this process holds, then all that look like one. At most 64 KiB are kept.
 *
 * @param secrets more that are known, for this text only: an application may have a key for each of its customers
 * @param longest characters that are kept. Default 64 KiB; more only outside of requests
 */
export function redactKeys(text: string, secrets: readonly string[] = [], longest = LONGEST): string {
  const forms = secrets.length > 0 ? [...formsOf(secrets), ...knownForms()] : knownForms()
  if (text.length <= longest) return shortened(redacted(text, forms), longest)
  return `${beginningOf(withoutHalf(redacted(text.slice(0, longest), forms), forms), longest - 1)}…`
}

function redacted(text: string, forms: readonly string[]): string {
  const unknown = forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text)
  // A known secret may be the beginning of one that is not known.
  const whole = unknown === text ? text : unknown.replace(BESIDE_HIDDEN, HIDDEN)
  return SHAPES.reduce((rest, [find, replacement]) => rest.replace(find, replacement), whole)
}

/** Returns a text that was cut without what may be the first half of a secret at its end, which nothing recognizes. */
function withoutHalf(text: string, forms: readonly string[]): string {
  const end = text.slice(-LONGEST_FORM)
  const halves = forms.map((form) => {
    const first = form.charAt(0)
    for (let at = end.indexOf(first, end.length - form.length + 1); at >= 0; at = end.indexOf(first, at + 1)) {
      if (form.startsWith(end.slice(at))) return end.length - at
    }
    return 0
  })
  return text.slice(0, text.length - Math.max(0, ...halves))
}

/** Returns the beginning of a text that is longer. */
export function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${beginningOf(text, longest - 1)}…`
}

// Half of a surrogate pair is no character.
function beginningOf(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')
}

/** Anything may be thrown, also what cannot be written as text. */
function asText(value: unknown): string {
  try {
    return value instanceof Error ? value.message : String(value)
  } catch {
    return 'unknown'
  }
}

/** Returns nothing for what has no JSON, such as an object that contains itself. */
function asJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, each) => (stackOf(each) ? asText(each) : each))
  } catch {
    return undefined
  }
}
