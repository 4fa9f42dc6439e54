import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Builds the packages, and the page of the local service. Complaints go to stderr: stdout belongs to the script. */
export function build() {
  run('typescript/bin/tsc', '-b')
  run('../scripts/bundle.mjs')
  if (!isPageBuilt()) run('vite/bin/vite.js', 'build', 'packages/local/viewer', '--logLevel', 'warn')
}

/** Vite empties the folder before it builds, and a running service may be reading the page from it. */
function isPageBuilt() {
  const local = join(root, 'packages/local')
  const built = statSync(join(local, 'dist/page/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const below = (folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
  const read = [join(root, 'pnpm-lock.yaml'), ...below(join(local, 'viewer')), ...below(join(local, 'src'))]
  return read.every((path) => statSync(path).mtimeMs <= built)
}

function run(program, ...args) {
  const stdio = ['ignore', process.stderr, process.stderr]
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: root, stdio })
  if (status !== 0) throw new Error('the packages do not build.')
}
