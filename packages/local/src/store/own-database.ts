import fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { checkOwnFile, ownFolder } from '@svc/core/own-files'

/** The database, and what SQLite keeps beside it. It reads these, and follows links. */
const FILES = ['', '-wal', '-shm', '-journal']

/**
 * Returns the real path of a database file that nobody else can have made, or can put another one in the place of.
 *
 * @throws NotOurs if others can
 */
export function ownDatabase(file: string): string {
  const folder = realFolder(dirname(resolve(file)))
  // SQLite says what is wrong with it.
  if (folder === undefined) return resolve(file)
  const path = join(ownFolder(fs, folder), basename(resolve(file)))
  for (const each of FILES.map((ending) => path + ending)) {
    const stats = fs.lstatSync(each, { throwIfNoEntry: false })
    if (stats && !stats.isDirectory()) checkOwnFile(each, stats)
  }
  return path
}

function realFolder(path: string): string | undefined {
  try {
    return fs.realpathSync(path)
  } catch {
    return undefined
  }
}
