const HIDDEN = '(hidden)'

/**
 * The forms in which servers, gateways and failed connections repeat the key of a request in their error messages. The text
 * comes from anybody: a lookahead without a bound, where names follow each other in one word, would take time that grows
 * with the square of its length.
 */
const KEYS: readonly (readonly [find: RegExp, replacement: string])[] = [
  // By the prefixes of vendors. Names of models and packages start with some of them, too.
  [/\b(?:sk|nvapi)[-_][\w-]{8,}|\b(?:[rp]k_(?:live|test)|gsk|xai|pplx|hf|r8)[-_][A-Za-z0-9]{16,}/g, HIDDEN],
  [/\bAIza[\w-]{20,}/g, HIDDEN],
  // By the name of the header, field or parameter. A value without a digit is a word and not a key.
  [
    /((?:\bauthorization|api[-_]?key|access[-_]?token|secret[-_]?key|client[-_]?secret|[?&](?:key|token))["'\\]*\s*[:=]\s*["'\\]*(?:(?:Bearer|Basic)\s+|(?=[^\s"'\\&,;}]{0,200}\d)))[^\s"'\\&,;}]{8,}/gi,
    `$1${HIDDEN}`,
  ],
  [/(\b(?:Bearer|Basic)\s+)(?=\S*\d)[\w.~+/=-]{8,}/gi, `$1${HIDDEN}`],
  // The password in a URL.
  [/(:\/\/[^\s/:@?#]*:)[^\s/@?#]+(?=@)/g, `$1${HIDDEN}`],
]

/** Returns a text, such as an error message, with its API keys, tokens and passwords replaced by `(hidden)`. */
export function redactKeys(text: string): string {
  return KEYS.reduce((redacted, [find, replacement]) => redacted.replace(find, replacement), text)
}
