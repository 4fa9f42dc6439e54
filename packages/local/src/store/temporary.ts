import fs, { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownFolder } from '@svc/core/own-files'

/** A place for a database that lasts as long as the service. */
export interface TemporaryFile {
  readonly file: string
  remove(): void
}

/** Folders of this machine: another one, or a container, may share the place and has other process ids. */
const PREFIX = `svc-local-${hostname().replace(/[^\w.-]/g, '')}-`

/** The temporary databases that this process has open. */
const inUse = new Set<string>()

/**
 * A file in a new folder that only its owner can open. It goes with the process, however that ends: one that is killed
 * leaves it to the next service.
 *
 * @returns undefined where no folder can be created.
 */
export function temporaryFile(): TemporaryFile | undefined {
  try {
    removeLeftOver()
    const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
    if (inUse.size === 0) process.once('exit', removeAll)
    inUse.add(folder)
    return { file: join(folder, 'traces.db'), remove: () => remove(folder) }
  } catch {
    return undefined
  }
}

function remove(folder: string): void {
  inUse.delete(folder)
  if (inUse.size === 0) process.off('exit', removeAll)
  rmSync(folder, { recursive: true, force: true })
}

function removeAll(): void {
  for (const folder of inUse) rmSync(folder, { recursive: true, force: true })
}

/** Removes the folders of processes that were killed. */
function removeLeftOver(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? /^\d+(?=-\w+$)/.exec(name.slice(PREFIX.length))?.[0] : undefined
    if (pid === undefined || isAlive(Number(pid))) continue
    try {
      // Another owner could put a link in its place during the removal.
      rmSync(ownFolder(fs, join(tmpdir(), name)), { recursive: true, force: true })
    } catch {
      // It belongs to another user.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process is alive, too.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
