import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Writes several files. All are written under temporary names before the first is renamed, so that none is ever half
 * written, and a full disk changes nothing.
 *
 * @param ending of the temporary names
 */
export function writeFiles(files: readonly { readonly path: string; readonly text: string }[], ending: string): void {
  const pending = files.map(({ path, text }) => ({
    path,
    text,
    draft: join(dirname(path), `.${basename(path)}.${ending}`),
  }))
  try {
    for (const { path, text, draft } of pending) {
      writeFileSync(draft, text, { flag: 'wx' })
      const before = statSync(path, { throwIfNoEntry: false })
      if (before) chmodSync(draft, before.mode)
    }
    for (const { path, draft } of pending) renameSync(draft, path)
  } finally {
    for (const { draft } of pending) rmSync(draft, { force: true })
  }
}
