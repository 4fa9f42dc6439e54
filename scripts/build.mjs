import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Builds the packages, and the page of the local service. Complaints go to stderr: stdout belongs to the script. */
export function build() {
  run('typescript/bin/tsc', '-b')
  run('../scripts/bundle.mjs')
  run('vite/bin/vite.js', 'build', 'packages/local/viewer', '--logLevel', 'warn')
}

function run(program, ...args) {
  const stdio = ['ignore', process.stderr, process.stderr]
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: root, stdio })
  if (status !== 0) throw new Error('the packages do not build.')
}
