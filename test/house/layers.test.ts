import { describe, expect, it } from 'vitest'
import { commonJsManifest, coreManifest } from '../../scripts/core-exports.mjs'
import { packages, read, sources, withText } from './repository.ts'

// What each package imports: everything points down. `vitest run test/house/layers.test.ts --update` makes the picture in
// docs/architecture.md of it.
const PAGE = 'docs/architecture.md'
const BELOW: Record<string, readonly string[]> = {
  core: [],
  otel: ['core'],
  tracing: ['core'],
  instrumentation: ['core', 'tracing'],
  register: ['core', 'otel', 'instrumentation'],
  nestjs: ['core', 'tracing', 'register', 'client'],
  next: ['core', 'tracing', 'otel', 'instrumentation', 'register', 'browser'],
  client: ['core', 'tracing'],
  browser: ['core'],
  langchain: ['core', 'tracing', 'instrumentation'],
  local: ['core'],
  cli: ['core', 'client', 'instrumentation', 'local'],
}

describe('layers', () => {
  it('every package is part of the layer diagram', () => {
    expect(packages.filter((name) => !(name in BELOW))).toEqual([])
  })

  it.each(packages)('%s imports only packages below it', (name) => {
    const allowed = new Set(BELOW[name])
    const upward = sources
      .filter(({ home }) => home === name)
      .flatMap(({ path, imports }) => imports.map((specifier) => ({ path, specifier })))
      .filter(({ specifier }) => {
        const [, other] = /^@svc\/([^/]+)/.exec(specifier) ?? []
        return other !== undefined && other !== name && !allowed.has(other)
      })
    expect(upward).toEqual([])
  })

  it.each(packages)('%s imports each package that the diagram has below it', (name) => {
    const imports = sources.filter(({ home }) => home === name).flatMap((each) => each.imports)
    const imported = (other: string) => imports.some((specifier) => `${specifier}/`.startsWith(`@svc/${other}/`))
    expect(BELOW[name]?.filter((other) => !imported(other))).toEqual([])
  })

  it('docs/architecture.md has the picture of it', async () => {
    await expect(withText(read(PAGE), 'picture: layers', picture())).toMatchFileSnapshot(`../../${PAGE}`)
  })

  it('core exports, by name, the modules that are imported as @svc/core/…', () => {
    expect(read('packages/core/package.json'), 'run: pnpm exports:core').toBe(coreManifest())
    expect(read('packages/core/cjs/package.json'), 'run: pnpm exports:core').toBe(commonJsManifest())
  })

  it('no package imports files from the folder of another', () => {
    const crossing = sources.flatMap(({ path, home, imports }) =>
      imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => new URL(specifier, `file:///${path}`).pathname.slice(1))
        .filter((target) => !target.startsWith(`packages/${home}/src/`) && target !== `packages/${home}/package.json`)
        .map((target) => `${path} imports ${target}`),
    )
    expect(crossing).toEqual([])
  })

  it.each(packages)('the folders of %s have no import cycle', (name) => {
    const imports = folderImports(name)
    const circular = [...imports.keys()].filter((folder) => reaches(imports, folder, folder))
    expect(circular).toEqual([])
  })
})

/** A line for each package, and below it those that it imports, the highest first. All import `core`. */
function picture(): string {
  const names = Object.keys(BELOW).sort((one, other) => height(other) - height(one) || one.localeCompare(other))
  const width = Math.max(...names.map((name) => name.length))
  const lines = names.map((name) => {
    const below = names.filter((other) => other !== 'core' && BELOW[name]?.includes(other))
    return below.length > 0 ? `${name.padEnd(width)} ──► ${below.join(', ')}` : name
  })
  return ['```', ...lines, '```'].join('\n')
}

/** How many packages are below one, along the longest way. */
function height(name: string): number {
  return Math.max(-1, ...(BELOW[name] ?? []).map(height)) + 1
}

/** Folder → the folders it imports from. A file beside the folders counts as a folder of its own. */
function folderImports(name: string): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>()
  for (const { path, imports } of sources.filter(({ home }) => home === name)) {
    const folder = folderOf(path)
    const imported = folders.get(folder) ?? new Set()
    folders.set(folder, imported)
    for (const specifier of imports.filter((each) => each.startsWith('.'))) {
      const other = folderOf(new URL(specifier, `file:///${path}`).pathname.slice(1))
      if (other !== folder) imported.add(other)
    }
  }
  return folders
}

/** `packages/core/src/delivery/spool/spool.ts` → `delivery` */
function folderOf(path: string): string {
  return path.split('/')[3] ?? path
}

function reaches(imports: Map<string, Set<string>>, from: string, to: string, seen = new Set<string>()): boolean {
  for (const folder of imports.get(from) ?? []) {
    if (folder === to) return true
    if (seen.has(folder)) continue
    seen.add(folder)
    if (reaches(imports, folder, to, seen)) return true
  }
  return false
}
