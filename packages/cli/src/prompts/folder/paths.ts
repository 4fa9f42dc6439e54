import { createHash } from 'node:crypto'
import { endingOf } from '../file/prompt-file.ts'
import type { Prompt } from '../prompt.ts'

/** Characters that Windows or a shell does not take in a file name, and `%`, which marks those that were replaced. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const UNSAFE = /[<>:"\\|?*%\x00-\x1f\x7f-\x9f]|[\ud800-\udfff]|^[. ]|[. ]$/gu
/** Names that Windows has for devices, and one that is no prompt. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|readme)(?=\.|$)/i
const PLAIN = /[^a-z0-9_-]/gu
const LONGEST = 120

/**
 * Where a prompt that has no file yet is written, below the folder of prompts: its name, with what not every system
 * takes as %20 and the like. The name that counts is in the file.
 *
 * @param isTaken whether another prompt has that file; names that only differ in capitals are one file on many systems
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

/** The same for paths that are one file where capitals and ways to write é do not count. */
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
    // A folder a.md would be in the way of the file of a prompt a.
    .replace(/\.(?=(?:md|ya?ml)$)/i, encoded('.'))
  if (safe === '') return '%'
  if (Buffer.byteLength(safe) <= LONGEST) return safe
  const hash = createHash('sha256').update(segment).digest('hex').slice(0, 8)
  return `${segment.replace(PLAIN, '').slice(0, LONGEST - 10)}~${hash}`
}

function encoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
