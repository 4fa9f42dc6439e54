import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readText } from '../../files/text.ts'

/** The fields of a package.json that are used here. */
export interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly type?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly engines?: Readonly<Record<string, string>>
}

/** An installed copy of a package that the app or one of its dependencies loads. */
export interface Copy {
  readonly name: string
  readonly version: string
  readonly folder: string
  readonly manifest: Manifest
}

/** Returns what of a field of a package.json has its type: a text, or an object's texts; undefined for nothing. */
function fitOf(name: string, value: unknown): unknown {
  if (name === 'name' || name === 'version' || name === 'type') return typeof value === 'string' ? value : undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const type = name === 'peerDependenciesMeta' ? 'object' : 'string'
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.filter(([, each]) => typeof each === type && each !== null && !(each.length > LONGEST)),
  )
}

/** The packages that Node finds for an app. */
export interface Packages {
  /** Returns all copies of a package; the one that the app itself loads comes first. */
  copies(name: string): readonly Copy[]
  /** Returns the copy that `import` finds from the folder of a copy, default that of the app. */
  resolve(name: string, from?: string): Copy | undefined
  /** Names of all packages that were found. */
  readonly names: readonly string[]
}

/** More than any app has; limits the time of a search. */
const MOST_PACKAGES = 20_000

/** Finds the dependencies of the app in the folders that Node searches; in a workspace, only those of this app. */
export function packagesOf(folder: string, manifest: Manifest): Packages {
  const root = realpathSync(folder)
  const seen = new Map<string, Copy>()
  const queue = namesIn(manifest, true).map((name) => ({ name, from: root }))
  for (let next = queue.shift(); next && seen.size < MOST_PACKAGES; next = queue.shift()) {
    const copy = find(next.name, next.from)
    if (!copy || seen.has(copy.folder)) continue
    seen.set(copy.folder, copy)
    for (const name of namesIn(copy.manifest, false)) queue.push({ name, from: copy.folder })
  }
  const byName = new Map<string, Copy[]>()
  for (const copy of seen.values()) byName.set(copy.name, [...(byName.get(copy.name) ?? []), copy])
  return {
    copies: (name) => byName.get(name) ?? [],
    resolve: (name, from = root) => find(name, from),
    names: [...byName.keys()],
  }
}

function namesIn(manifest: Manifest, isApp: boolean): string[] {
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = manifest
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies, ...(isApp && devDependencies) })
}

function find(name: string, from: string): Copy | undefined {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return copyIn(name, folder)
  const above = dirname(from)
  return above === from ? undefined : find(name, above)
}

function copyIn(name: string, folder: string): Copy | undefined {
  const manifest = manifestIn(folder)
  return manifest && { name, version: manifest.version ?? 'without a version', folder: realpathSync(folder), manifest }
}

const MOST_BYTES = 4_194_304
/** Characters of a script: the patterns that look at it take longer the longer it is. */
const LONGEST = 10_000

/** Reads the package.json of a folder, without what has a wrong type; undefined if it is missing or not JSON. */
export function manifestIn(folder: string): Manifest | undefined {
  try {
    // Without the byte order mark that some editors add, as npm and Node read it.
    const text = (readText(join(folder, 'package.json'), MOST_BYTES) ?? '').replace(/^\uFEFF/, '')
    const manifest: unknown = JSON.parse(text)
    if (typeof manifest !== 'object' || manifest === null) return undefined
    return Object.fromEntries(Object.entries(manifest).map(([name, value]) => [name, fitOf(name, value)]))
  } catch {
    return undefined
  }
}
