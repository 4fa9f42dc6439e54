import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const run = promisify(execFile)
const packages = fileURLToPath(new URL('../../packages', import.meta.url))

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
}

/**
 * Packs every package as it would be published and installs the tarballs with npm, in a folder of its own.
 *
 * @param manifest the package.json of who installs them
 * @returns the folder
 */
export async function installPacked(manifest: Manifest): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'svc-packed-'))
  const names = await readdir(packages)
  await Promise.all(
    names.map((name) => run('pnpm', ['pack', '--pack-destination', home], { cwd: join(packages, name) })),
  )
  const tarballs = (await readdir(home)).map((file) => `file:${file}`)
  const ours = Object.fromEntries(
    tarballs.map((file) => [`@svc/${/svc-(.+)-\d+\.\d+\.\d+\.tgz/.exec(file)?.[1]}`, file]),
  )
  const installed = { private: true, ...manifest, dependencies: { ...manifest.dependencies, ...ours }, overrides: ours }
  await writeFile(join(home, 'package.json'), JSON.stringify(installed))
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: home })
  return home
}

export const manifestIn = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
