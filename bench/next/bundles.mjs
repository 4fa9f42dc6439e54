import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** Bytes of a variant that was built: all scripts for browsers, and all that its route on the edge runtime consists of. */
export function bytesOf(variant) {
  const dist = fileURLToPath(new URL(`.next/${variant}`, import.meta.url))
  const { functions } = JSON.parse(readFileSync(join(dist, 'server/middleware-manifest.json'), 'utf8'))
  const client = readdirSync(join(dist, 'static'), { recursive: true }).map((path) => join('static', path))
  const scripts = (paths) => paths.filter((path) => path.endsWith('.js')).map((path) => readFileSync(join(dist, path)))
  return { client: sizeOf(scripts(client)), edge: sizeOf(scripts(functions['/edge/route'].files)) }
}

function sizeOf(files) {
  const sum = (sizes) => sizes.reduce((total, size) => total + size, 0)
  return {
    minified: sum(files.map(({ length }) => length)),
    gzip: sum(files.map((file) => gzipSync(file, { level: 9 }).length)),
  }
}
