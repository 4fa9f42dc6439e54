import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path'
import { Failure } from '../../failure.ts'

/**
 * Writes files below `dir` atomically: first all as temporary files, which are then renamed. No file is ever half
 * written, and if the disk is full, none is changed.
 *
 * @throws {Failure} if a link leads out of this folder, or out of `dir` if that is elsewhere
 */
export function writeFiles(dir: string, files: ReadonlyMap<string, string>): void {
  const mark = randomBytes(4).toString('hex')
  const moves: { from: string; to: string }[] = []
  try {
    for (const [path, text] of files) {
      const to = join(dir, path)
      const from = join(dirname(to), `.svc-${mark}-${moves.length}.tmp`)
      const out = linkOut(dir, dirname(to))
      if (out !== undefined)
        throw new Failure(`${out} is a link to another folder, where nothing is written: --dir names it`)
      mkdirSync(dirname(to), { recursive: true })
      moves.push({ from, to })
      writeFileSync(from, text)
    }
    for (const { from, to } of moves) renameSync(from, to)
  } finally {
    for (const { from } of moves) rmSync(from, { force: true })
  }
}

/** Returns the folder at or above `folder` that is there, if it is really elsewhere. */
function linkOut(dir: string, folder: string): string | undefined {
  const isElsewhere = isAbsolute(dir) || normalize(dir).split(sep)[0] === '..'
  const root = realpathSync(isElsewhere ? existing(dir) : '.')
  const there = existing(folder)
  const way = relative(root, realpathSync(there))
  return way.split(sep)[0] === '..' || isAbsolute(way) ? there : undefined
}

const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)))
