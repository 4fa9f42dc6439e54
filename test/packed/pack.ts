import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Registry, startRegistry } from './registry.ts'

export const run = promisify(execFile)

/** What an installation by npm may take, or a build of Next. */
export const NPM_TIMEOUT = 600_000

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
}

let registry: Promise<Registry> | undefined

interface Wanted {
  /** Of our packages only these, and what they need. Default: all. */
  readonly only?: readonly string[]
  /** Folders with dependencies of their own. */
  readonly workspaces?: Readonly<Record<string, Manifest>>
  /** Further arguments of `npm install`. */
  readonly args?: readonly string[]
}

/**
 * Packs every package as it would be published and installs them with npm, in a folder of its own.
 *
 * @param manifest the package.json of who installs them
 * @returns the folder
 */
export async function installPacked(
  manifest: Manifest,
  { only, workspaces = {}, args = [] }: Wanted = {},
): Promise<string> {
  registry ??= startRegistry()
  const { versions } = await registry
  const home = await mkdtemp(join(tmpdir(), 'svc-packed-'))
  const wanted = Object.fromEntries(Object.entries(versions).filter(([name]) => only?.includes(name) ?? true))
  const dependencies = { ...manifest.dependencies, ...wanted }
  const installed = { private: true, ...manifest, dependencies, workspaces: Object.keys(workspaces) }
  await writeFile(join(home, 'package.json'), JSON.stringify(installed))
  // None may have the name of a package.
  for (const [name, each] of Object.entries(workspaces)) {
    await mkdir(join(home, name))
    await writeFile(
      join(home, name, 'package.json'),
      JSON.stringify({ name: `folder-${name}`, version: '0.0.0', ...each }),
    )
  }
  await npmInstall(home, args)
  return home
}

/** Runs `npm install` in a folder. */
export async function npmInstall(home: string, args: readonly string[] = []): Promise<void> {
  registry ??= startRegistry()
  const all = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...(await registry).args, ...args]
  await run('npm', all, { cwd: home })
}

/** Installs a project of this folder, with all of ours and more dependencies. */
export async function installProject(name: string, dependencies: Manifest['dependencies'] = {}): Promise<string> {
  const project = fileURLToPath(new URL(name, import.meta.url))
  const manifest = await manifestIn(project)
  const home = await installPacked({ ...manifest, dependencies: { ...manifest.dependencies, ...dependencies } })
  await cp(project, home, { recursive: true, filter: (source) => !source.endsWith('package.json') })
  return home
}

export const manifestIn = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))

/** Runs a program of a project; its output, whatever it ends with. */
export async function program(
  home: string,
  name: string,
  args: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  // Of the runner that we are ourselves nothing is to be seen.
  const { VITEST: _, NODE_ENV: __, NODE_OPTIONS: ___, ...rest } = process.env
  try {
    // Time is not what they are about.
    const env = { ...rest, SVC_TIMEOUT: '60', SVC_SHUTDOWN_TIMEOUT: '60', ...more }
    const { stdout, stderr } = await run(join(home, 'node_modules/.bin', name), [...args], { cwd: home, env })
    return stdout + stderr
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return stdout + stderr
  }
}
