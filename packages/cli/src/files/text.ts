import { readFileSync, statSync } from 'node:fs'

const MOST_READ = 262_144

/** Returns the text of a file; undefined if it cannot be read, is no regular file, or is too large. */
export function readText(path: string, mostBytes = MOST_READ): string | undefined {
  try {
    const stat = statSync(path)
    return stat.isFile() && stat.size <= mostBytes ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}

const MOST_BYTES = 4_194_304
/** Beyond it, a file is not even searched for the names of our packages. */
const MOST_SEARCHED = 67_108_864

/** Reads a source file, with its byte order mark. If it cannot be read and mentions our packages, says why. */
export function readSource(path: string): { readonly text?: string; readonly message?: string } {
  try {
    const { size } = statSync(path)
    if (size > MOST_SEARCHED) return { message: 'is larger than 64 MB: check it by hand' }
    const bytes = readFileSync(path)
    const isOurs = bytes.includes('@svc/')
    if (size > MOST_BYTES) return isOurs ? { message: 'is larger than 4 MB: check it by hand' } : {}
    try {
      return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
    } catch {
      return isOurs ? { message: 'is not UTF-8: check it by hand' } : {}
    }
  } catch (thrown) {
    return { message: explainUnread(thrown) }
  }
}

/** Says why a file or folder cannot be read. */
export function explainUnread(thrown: unknown): string {
  return `cannot be read (${(thrown as NodeJS.ErrnoException).code ?? thrown})`
}
