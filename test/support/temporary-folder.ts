import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const PREFIX = 'svc-tests-'

let folder: string | undefined

/**
 * Before the first test: one folder for all temporary files of this run and of the programs it starts. They are several
 * gigabytes, and go with the folder however many tests leave theirs.
 */
export function setup(): void {
  // Vitest calls this for each of its projects.
  if (basename(tmpdir()).startsWith(`${PREFIX}${process.pid}-`)) return
  removeLeftOver()
  folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  // Some tests run programs as another user.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
}

/** Asynchronous, because workers end at the same time, and vitest waits only so long to hear of it. */
export async function teardown(): Promise<void> {
  if (folder) await rm(folder, { recursive: true, force: true })
}

/** Removes the folders of runs that were killed. */
function removeLeftOver(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
