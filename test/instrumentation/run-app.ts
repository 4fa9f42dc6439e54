import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Ended {
  readonly code: number | string | null
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

/** Runs `node …args` to its end, with the Node that runs the tests. */
export function runNode(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Ended> {
  const { PATH = '' } = process.env
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env: { PATH, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error ? (error.code ?? null) : 0, stdout, stderr })
    })
  })
}
