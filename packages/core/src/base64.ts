const CHUNK = 0x8000

/** Standard base64 of bytes, without `Buffer`: edge runtimes have none. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(binary)
}

/** Standard base64 of a text in UTF-8. */
export function textToBase64(text: string): string {
  return toBase64(new TextEncoder().encode(text))
}

/** Bytes of standard or URL-safe base64, padded or not; undefined when the text is neither. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (base64End(text, 0) !== text.length) return undefined
  // Several times faster than the way below, where it exists.
  if (globalThis.Buffer !== undefined) return Uint8Array.from(globalThis.Buffer.from(text, 'base64'))
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

const PLAIN = 1
const STANDARD = 2
const URL_SAFE = 4
const PAD = '='.charCodeAt(0)

const ALPHABET = new Uint8Array(128)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789') {
  ALPHABET[letter.charCodeAt(0)] = PLAIN
}
for (const letter of '+/') ALPHABET[letter.charCodeAt(0)] = STANDARD
for (const letter of '-_') ALPHABET[letter.charCodeAt(0)] = URL_SAFE

/**
 * Where the base64 that starts at `start` ends, or `start` when what stands there cannot be decoded. One alphabet or
 * the other: what follows a standard payload may well begin with a dash. A loop, because a regular expression keeps
 * its way back on a stack that megabytes of base64 overflow.
 */
export function base64End(text: string, start: number): number {
  let seen = 0
  let end = start
  for (; end < text.length; end++) {
    const kind = ALPHABET[text.charCodeAt(end)] ?? 0
    if (kind === 0 || (seen | kind) >= (STANDARD | URL_SAFE)) break
    seen |= kind
  }
  const letters = end - start
  // A single letter past a multiple of four says nothing; padding fills up to a multiple of four.
  if (letters % 4 === 1) return start
  const wanted = (4 - (letters % 4)) % 4
  let pads = 0
  while (pads < wanted && text.charCodeAt(end + pads) === PAD) pads++
  return end + pads
}
