import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Builds the packages. The compiler's complaints go to stderr: stdout belongs to the script. */
export function build() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const stdio = ['ignore', process.stderr, process.stderr]
  const { status } = spawnSync(process.execPath, [tsc, '-b'], { cwd: root, stdio })
  if (status !== 0) throw new Error('the packages do not build.')
}
