const HIDDEN = '(hidden)'

/** How a server, a gateway or a failed connection repeats the key of a request in what it says of the failure. */
const KEYS: readonly (readonly [find: RegExp, replacement: string])[] = [
  // By the shape that vendors give theirs. Models and packages have names that begin like some of them.
  [/\b(?:sk|nvapi)[-_][\w-]{8,}|\b(?:[rp]k_(?:live|test)|gsk|xai|pplx|hf|r8)[-_][A-Za-z0-9]{16,}/g, HIDDEN],
  [/\bAIza[\w-]{20,}/g, HIDDEN],
  // By the header, field or parameter they stand in. A word without a digit is one, and no key.
  [
    /((?:\bauthorization|api[-_]?key|access[-_]?token|secret[-_]?key|client[-_]?secret|[?&](?:key|token))["'\\]*\s*[:=]\s*["'\\]*(?:(?:Bearer|Basic)\s+|(?=[^\s"'\\&,;}]*\d)))[^\s"'\\&,;}]{8,}/gi,
    `$1${HIDDEN}`,
  ],
  [/(\b(?:Bearer|Basic)\s+)(?=\S*\d)[\w.~+/=-]{8,}/gi, `$1${HIDDEN}`],
  // The password of an address.
  [/(:\/\/[^\s/:@?#]*:)[^\s/@?#]+(?=@)/g, `$1${HIDDEN}`],
]

/** A text, such as the message of an error, with `(hidden)` in the place of API keys, tokens and passwords in it. */
export function redactKeys(text: string): string {
  return KEYS.reduce((told, [find, replacement]) => told.replace(find, replacement), text)
}
