import type { Bytes } from './bytes.ts'

const CHUNK = 0x8000

/** Encodes bytes as standard base64, without `Buffer`, which edge runtimes do not have. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(binary)
}

/** Encodes a string as UTF-8 and standard base64. */
export function textToBase64(text: string): string {
  return toBase64(new TextEncoder().encode(text))
}

/** Decodes standard or URL-safe base64, padded or not; undefined if the text is neither. */
export function fromBase64(text: string): Bytes | undefined {
  if (base64End(text, 0) !== text.length) return undefined
  // `Buffer` is several times faster, where it exists.
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

// Marked pure, so that bundles that only encode leave it out.
const ALPHABET = /* @__PURE__ */ (() => {
  const kinds = new Uint8Array(128)
  for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789') {
    kinds[letter.charCodeAt(0)] = PLAIN
  }
  for (const letter of '+/') kinds[letter.charCodeAt(0)] = STANDARD
  for (const letter of '-_') kinds[letter.charCodeAt(0)] = URL_SAFE
  return kinds
})()

/**
 * Returns the end of the base64 that starts at `start`, or `start` if it cannot be decoded. Standard and URL-safe
 * letters do not mix: a standard payload may be followed by a dash.
 */
export function base64End(text: string, start: number): number {
  const end = lettersEnd(text, start)
  const letters = end - start
  // A single letter after a multiple of four encodes no byte; padding completes a multiple of four.
  if (letters % 4 === 1) return start
  return end + padsAt(text, end, (4 - (letters % 4)) % 4)
}

/**
 * Returns the end of the letters of one alphabet that start at `start`. A loop, because a regular expression would
 * overflow its stack on megabytes of base64.
 */
export function lettersEnd(text: string, start: number): number {
  let seen = 0
  let end = start
  for (; end < text.length; end++) {
    const kind = ALPHABET[text.charCodeAt(end)] ?? 0
    if (kind === 0 || (seen | kind) >= (STANDARD | URL_SAFE)) break
    seen |= kind
  }
  return end
}

/** Returns the number of padding characters at a place, up to `most`. */
export function padsAt(text: string, start: number, most: number): number {
  let pads = 0
  while (pads < most && text.charCodeAt(start + pads) === PAD) pads++
  return pads
}
