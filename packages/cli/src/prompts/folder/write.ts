import { randomBytes } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Writes files below `dir` atomically: first all as temporary files, which are then renamed. No file is ever half
 * written, and if the disk is full, none is changed.
 */
export function writeFiles(dir: string, files: ReadonlyMap<string, string>): void {
  const mark = randomBytes(4).toString('hex')
  const moves: { from: string; to: string }[] = []
  try {
    for (const [path, text] of files) {
      const to = join(dir, path)
      const from = join(dirname(to), `.svc-${mark}-${moves.length}.tmp`)
      mkdirSync(dirname(to), { recursive: true })
      moves.push({ from, to })
      writeFileSync(from, text)
    }
    for (const { from, to } of moves) renameSync(from, to)
  } finally {
    for (const { from } of moves) rmSync(from, { force: true })
  }
}
