/** A package whose exports are needed when an application loads it. */
export interface ModuleTarget {
  /** Name of the package, as in its folder below `node_modules`: `openai`, `@scope/name`. */
  readonly package: string
  /** The files whose exports are passed on, as paths inside the package: `index.mjs`, `dist/client.js`. */
  readonly files: readonly string[]
  /** Supported versions. Others are left alone, see `listUnsupportedPackages`. Default: any. */
  readonly versions?: VersionRange
  /**
   * Edits the source of a matching file before it is compiled, for what cannot be reached through its exports. Not
   * called beside tools that compile required files themselves.
   */
  readonly edit?: (source: string, info: ModuleInfo) => string
  /**
   * Called with the exports of a matching file right after it ran, before the importing module continues. Synchronous.
   * Errors are logged at debug level.
   */
  readonly apply: (exports: unknown, info: ModuleInfo) => void
  /** Called with the exports instead of `apply` if a third-party instrumentation replaces this one. */
  readonly whenReplaced?: (exports: unknown) => void
}

export interface ModuleInfo {
  readonly package: string
  /** From the package.json of the loaded copy; undefined if it has none. */
  readonly version: string | undefined
  /** The file as a `file:` URL. */
  readonly url: string
}

/** Returns every combination of the parts: `paths('dist/index', ['.js', '.mjs'])` gives two paths. */
export function paths(...parts: readonly (string | readonly string[])[]): string[] {
  let found = ['']
  // Plain loops: this runs at the start of a process, where `flatMap` and the like cost ten times as much.
  for (const part of parts) {
    const endings = typeof part === 'string' ? [part] : part
    const longer: string[] = []
    for (const prefix of found) for (const ending of endings) longer.push(prefix + ending)
    found = longer
  }
  return found
}

/** A version range that excludes its end: `{ from: '4.19.0', below: '8.0.0' }`. */
export interface VersionRange {
  readonly from: string
  readonly below: string
}

/**
 * Returns whether `version` is in `range`. A pre-release counts as its release; an unknown version is in every range.
 */
export function isWithin(range: VersionRange | undefined, version: string | undefined): boolean {
  if (!range || version === undefined) return true
  return compareVersions(version, range.from) >= 0 && compareVersions(version, range.below) < 0
}

/** Returns a negative number, zero or a positive number if `left` is older than, equal to or newer than `right`. */
export function compareVersions(left: string, right: string): number {
  const [one, other] = [parseVersion(left), parseVersion(right)]
  const firstDifference = one.findIndex((number, index) => number !== other[index])
  return firstDifference < 0 ? 0 : (one[firstDifference] ?? 0) - (other[firstDifference] ?? 0)
}

function parseVersion(version: string): number[] {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  return [major, minor, patch].map(Number)
}
