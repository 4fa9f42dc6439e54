import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path'
import { Failure } from '../../failure.ts'
import { writeFiles } from '../../files/write-files.ts'

/**
 * Writes files below `dir`: all, or none.
 *
 * @param remedy what to do about a link, if there is something
 * @throws {Failure} if a link leads out of this folder, or out of `dir` if that is elsewhere
 */
export function writeBelow(dir: string, files: ReadonlyMap<string, string>, remedy = ': --dir names it'): void {
  const written = [...files].map(([path, text]) => ({ path: join(dir, path), text }))
  for (const { path } of written) {
    const out = linkOut(dir, dirname(path))
    if (out !== undefined) throw new Failure(`${out} is a link to another folder, where nothing is written${remedy}`)
    mkdirSync(dirname(path), { recursive: true })
  }
  // Not in the way of the next run, if this one is killed.
  writeFiles(written, `svc-${randomBytes(4).toString('hex')}.tmp`)
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
