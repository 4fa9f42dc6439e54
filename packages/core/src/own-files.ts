// biome-ignore lint/suspicious/noTsIgnore: there is an error only without the types of Node.
/** @ts-ignore: this declaration also has to compile without the types of Node. */
import type * as Fs from 'node:fs'
import { builtin } from './builtin.ts'
import { hostProcess } from './host-process.ts'

/** A path that another user may have made, or may change. The message says what to do. */
export class NotOurs extends Error {}

const GROUP_WRITES = 0o020
const OTHERS_WRITE = 0o002
/** Of a folder: entries are renamed and removed by their owners only. */
const STICKY = 0o1000

/**
 * Returns the real path of a folder that only this user can write to: what is there was put there by this user, and
 * stays. It is no link itself, because who made the link may lead it elsewhere.
 *
 * @throws {NotOurs} if it, or a folder above it, can be changed by others
 */
export function ownFolder(fs: typeof Fs, folder: string): string {
  const { basename, join, resolve } = paths()
  const path = join(checkAbove(fs, folder), basename(resolve(folder)))
  const stats = fs.lstatSync(path)
  if (stats.isSymbolicLink()) throw new NotOurs(link(path))
  if (!stats.isDirectory()) throw new NotOurs(`${path} is not a folder: name another place`)
  checkOwner(path, stats)
  return path
}

/**
 * Checks the folders above a path, as `StrictModes` of OpenSSH does: who may rename one of them may put another one in
 * its place. One like `/tmp` is fine, where only its owner may rename what is in it.
 *
 * @returns the real path of the nearest
 * @throws {NotOurs} with the first that others can change
 */
export function checkAbove(fs: typeof Fs, path: string): string {
  const { dirname, resolve } = paths()
  const given = dirname(resolve(path))
  try {
    const nearest = fs.realpathSync(given)
    for (const parent of [nearest, ...above(nearest)]) checkParent(parent, fs.statSync(parent))
    return nearest
  } catch (error) {
    // The permission model of Node may allow the folder itself only.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ACCESS_DENIED') throw error
    return given
  }
}

/**
 * Checks that a file was made by this user, in a folder of {@link ownFolder}: a regular one, no link, with one name.
 *
 * @throws {NotOurs} if not, or if it is longer than that many bytes
 */
export function checkOwnFile(path: string, stats: Fs.Stats, longest = Number.POSITIVE_INFINITY): void {
  if (stats.isSymbolicLink()) throw new NotOurs(link(path))
  if (!stats.isFile()) throw new NotOurs(`${path} is not a regular file: remove it, or name another place`)
  if (stats.size > longest) throw new NotOurs(`${path} is longer than ${longest} bytes: remove it`)
  if (stats.nlink > 1 && user() !== undefined) throw new NotOurs(`${path} is a hard link of another file: remove it`)
  checkOwner(path, stats)
}

/**
 * Opens a file of this user for reading, and returns its descriptor. It is checked before, because opening a device may
 * do something and opening a pipe may wait; and after, because it may be another one by then.
 *
 * @throws {NotOurs} see {@link checkOwnFile}
 */
export function openOwnFile(fs: typeof Fs, path: string, longest: number): number {
  checkOwnFile(path, fs.lstatSync(path), longest)
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants
  const file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    checkOwnFile(path, fs.fstatSync(file), longest)
    return file
  } catch (error) {
    fs.closeSync(file)
    throw error
  }
}

function checkOwner(path: string, stats: Fs.Stats): void {
  if (user() === undefined) return
  if (stats.uid !== user()) throw new NotOurs(foreign(path, stats.uid))
  if (isOpen(stats)) throw new NotOurs(open(path, stats.mode))
}

function checkParent(path: string, stats: Fs.Stats): void {
  if (user() === undefined) return
  if (stats.uid !== 0 && stats.uid !== user()) throw new NotOurs(foreign(path, stats.uid))
  if (isOpen(stats) && !(stats.mode & STICKY)) throw new NotOurs(open(path, stats.mode))
}

/** The folders above a path, from the nearest. */
function above(path: string): string[] {
  const parent = paths().dirname(path)
  return parent === path ? [] : [parent, ...above(parent)]
}

/**
 * Whether others may write. Many systems give each user a group of the same number, in which nobody else is, and folders
 * that it may write to. Not so root: containers run as any user of its group.
 */
function isOpen({ mode, gid }: Fs.Stats): boolean {
  const isGroupOurs = gid !== 0 && gid === user() && gid === hostProcess()?.getegid?.()
  return (mode & OTHERS_WRITE) !== 0 || ((mode & GROUP_WRITES) !== 0 && !isGroupOurs)
}

/** Undefined on Windows, where owners and modes are not those of files. */
function user(): number | undefined {
  return hostProcess()?.geteuid?.()
}

const paths = () => builtin('node:path') as typeof import('node:path')

const link = (path: string): string => `${path} is a symbolic link, which is not followed: name its target`

const foreign = (path: string, uid: number): string =>
  `${path} belongs to user ${uid}, not to ${user()}: change its owner (chown), or name another place`

function open(path: string, mode: number): string {
  const shown = (mode & 0o7777).toString(8).padStart(4, '0')
  return `${path} can be written by other users (mode ${shown}): chmod go-w it, or name another place`
}
