import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Output {
  readonly stdout: string
  readonly stderr: string
}

/** A folder with these files (path → text) that is gone when `remove` is called. */
export function folderWith(files: Readonly<Record<string, string>>): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'svc-instrumentation-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs `node …args` to its end. Rejects, with what it said, when that is not exit code 0. */
export async function runNode(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Output> {
  const { PATH = '' } = process.env
  return run(process.execPath, [...args], { cwd, env: { PATH, ...env } })
}
