// Tarballs of all packages, as npm's users get them: packed once for the checks of them and for the tests that install
// them. `node scripts/tarballs.mjs` packs what is missing and prints the folder.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { root } from './build.mjs'

const packages = join(root, 'packages')
const home = join(root, '.toolchain/packed')
const HOUR = 3_600_000

/** The folder with the tarballs of all packages: packed once, however many files of tests install them. */
export async function tarballs() {
  const folder = join(home, digest())
  if (existsSync(folder)) return folder
  // Packed apart and moved when they are whole: two processes may pack at once.
  const apart = `${folder}.${process.pid}`
  mkdirSync(apart, { recursive: true })
  removeOld()
  const args = ['--recursive', '--filter', './packages/*', 'pack', '--pack-destination', apart]
  await promisify(execFile)('pnpm', args, { cwd: root })
  try {
    renameSync(apart, folder)
  } catch {
    rmSync(apart, { recursive: true, force: true })
  }
  return folder
}

/** Of all that may be in a tarball: what was packed from the same is the same. */
function digest() {
  const hash = createHash('sha256')
  for (const name of readdirSync(packages)) {
    const parts = readdirSync(join(packages, name)).filter(
      (part) => part !== 'node_modules' && !part.includes('published.'),
    )
    for (const file of parts.sort().flatMap((part) => filesIn(join(packages, name, part)))) {
      hash.update(file.slice(packages.length)).update(readFileSync(file))
    }
  }
  return hash.digest('hex').slice(0, 12)
}

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path).sort()
  return names.flatMap((name) => filesIn(join(path, name)))
}

/** What earlier runs left. Nothing installs it any more. */
function removeOld() {
  for (const name of readdirSync(home)) {
    const folder = join(home, name)
    const { mtimeMs = Date.now() } = statSync(folder, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > HOUR) rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) console.log(await tarballs())
