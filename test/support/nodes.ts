import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const toolchain = fileURLToPath(new URL('../../.toolchain', import.meta.url))

/** The oldest Node we promise to run on, and the newest of each line after it. */
const NODE_VERSIONS = ['22.15.0', '24.21.0', '26.10.0'] as const

/** The version that runs the tests, and the others, which run in files named `.all.test.ts`. */
export const THIS_NODE = process.version.slice(1)
export const OTHER_NODES: readonly string[] = NODE_VERSIONS.filter((version) => version !== THIS_NODE)

/** The program of that Node version, fetched once into .toolchain/ unless it is the one that runs the tests. */
export function nodeOf(version: string): string {
  if (process.version === `v${version}`) return process.execPath
  const home = join(toolchain, `node-${version}`)
  const program = join('node_modules', 'node', 'bin', 'node')
  if (!existsSync(join(home, program))) {
    // Fetched apart and moved when it is whole: two files of tests may want the same version at once.
    const apart = `${home}.${process.pid}`
    fetchNode(version, apart, program)
    try {
      renameSync(apart, home)
    } catch {
      rmSync(apart, { recursive: true, force: true })
    }
  }
  return join(home, program)
}

function fetchNode(version: string, folder: string, program: string): void {
  mkdirSync(folder, { recursive: true })
  const manifest = { private: true, dependencies: { node: version }, allowScripts: { node: true } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const flags = ['--no-package-lock', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error']
  const installed = spawnSync('npm', ['install', '--prefix', folder, ...flags], { encoding: 'utf8' })
  const got = spawnSync(join(folder, program), ['-v'], { encoding: 'utf8' }).stdout?.trim()
  if (got !== `v${version}`) throw new Error(`Node ${version} could not be fetched: ${installed.stderr}`)
}
