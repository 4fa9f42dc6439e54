import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Writes several files. All are written under temporary names before the first is renamed, so that a full disk changes
 * nothing.
 */
export function writeFiles(files: readonly { readonly path: string; readonly text: string }[]): void {
  const pending = files.map(({ path, text }) => ({
    path,
    text,
    draft: join(dirname(path), `.${basename(path)}.svc-migrate`),
  }))
  try {
    for (const { path, text, draft } of pending) {
      writeFileSync(draft, text, { flag: 'wx' })
      chmodSync(draft, statSync(path).mode)
    }
    for (const { path, draft } of pending) renameSync(draft, path)
  } finally {
    for (const { draft } of pending) rmSync(draft, { force: true })
  }
}
