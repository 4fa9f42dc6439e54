import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { tarballs } from '../../scripts/tarballs.mjs'

export interface Registry {
  /** The arguments that have npm look for `@svc` packages here, and for all others where it always does. */
  readonly args: readonly string[]
  /** The version of each package. */
  readonly versions: Readonly<Record<string, string>>
}

/**
 * Serves our packages as npm's registry will once they are published. Installed from tarballs instead, they need
 * `overrides` to find each other, and with those npm overlooks what it refuses to install.
 */
export async function startRegistry(): Promise<Registry> {
  const folder = await tarballs()
  // Part of the address, because npm keeps what it has read, and a port may be used again.
  const base = `/${basename(folder)}`
  const answers = new Map<string, string | Buffer>()
  const server = createServer(({ url = '' }, response) => {
    const answer = answers.get(decodeURIComponent(url))
    response.writeHead(answer === undefined ? 404 : 200).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`
  const versions: Record<string, string> = {}
  await Promise.all(
    (await readdir(folder)).map(async (file) => {
      const path = join(folder, file)
      const { stdout } = await promisify(execFile)('tar', ['-xzOf', path, 'package/package.json'])
      const manifest = JSON.parse(stdout) as { name: string; version: string }
      const { name, version } = manifest
      const content = await readFile(path)
      const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`
      const dist = { tarball: `${registry}/${file}`, integrity }
      const packument = { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
      versions[name] = version
      answers.set(`${base}/${name}`, JSON.stringify(packument))
      answers.set(`${base}/${file}`, content)
    }),
  )
  return { args: [`--@svc:registry=${registry}`], versions }
}
