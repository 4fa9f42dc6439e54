import { createHash } from 'node:crypto'
import { endingOf } from '../file/prompt-file.ts'
import type { Prompt } from '../prompt.ts'

/** Characters that Windows or shells do not allow in file names, that change how a name reads, and the mark `%`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters.
const UNSAFE = /[<>:"\\|?*%\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|[\ud800-\udfff]|^[. ]|[. ]$/gu
/** Device names of Windows, and `readme`, which is not a prompt. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|readme)(?=\.|$)/i
const PLAIN = /[^a-z0-9_-]/gu
const LONGEST = 120

/**
 * Returns the path of a new prompt file in the folder: the prompt's name, with unsafe characters encoded like `%20`.
 * The file contains the name itself.
 *
 * @param isTaken whether another prompt has this path; on many systems case does not matter
 */
export function pathFor(prompt: Prompt, isTaken: (path: string) => boolean): string {
  const ending = endingOf(prompt)
  const [readable, plain] = [UNSAFE, PLAIN].map((unsafe) => pathOf(prompt.name, unsafe))
  const candidates = [`${readable}${ending}`, `${plain}${ending}`]
  for (let count = 2; ; count += 1) {
    const free = candidates.find((path) => !isTaken(path))
    if (free !== undefined) return free
    candidates[0] = `${plain}~${count}${ending}`
  }
}

/** Returns a key that is equal for paths that are the same file on some systems (case, Unicode normalization). */
export const samePath = (path: string): string => path.normalize('NFC').toLowerCase()

function pathOf(name: string, unsafe: RegExp): string {
  return name
    .split('/')
    .map((segment) => segmentOf(segment, unsafe))
    .join('/')
}

function segmentOf(segment: string, unsafe: RegExp): string {
  const safe = segment
    .replace(unsafe, encoded)
    .replace(RESERVED, (word) => encoded(word.slice(0, 1)) + word.slice(1))
    // A folder `a.md` would conflict with the file of a prompt `a`.
    .replace(/\.(?=(?:md|ya?ml)$)/i, encoded('.'))
  if (safe === '') return '%'
  if (Buffer.byteLength(safe) <= LONGEST) return safe
  const hash = createHash('sha256').update(segment).digest('hex').slice(0, 8)
  return `${segment.replace(PLAIN, '').slice(0, LONGEST - 10)}~${hash}`
}

function encoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
