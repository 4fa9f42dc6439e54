import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

// What these tests install are hundreds of thousands of files in all. To remove them at the end of the run takes more than
// a minute, in which no test runs: here they go with the file of tests that made them, while others run.
const folder = mkdtempSync(join(tmpdir(), 'file-'))
// Some tests run programs as another user.
chmodSync(folder, 0o755)
process.env.TMPDIR = folder

afterAll(() => {
  const remove = `require('node:fs').rmSync(${JSON.stringify(folder)}, { recursive: true, force: true })`
  spawn(process.execPath, ['-e', remove], { detached: true, stdio: 'ignore' }).unref()
})
