import { readFileSync } from 'node:fs'
import type { LoadFnOutput, LoadHookSync } from 'node:module'
import { own } from '@svc/core/own'
import { compareVersions } from './target.ts'

/**
 * The first release of each line in which CommonJS modules behave normally while a synchronous load hook is registered.
 */
const REPAIRED: Readonly<Record<string, string>> = { 22: '22.22.3', 24: '24.11.1', 25: '25.1.0' }

/**
 * Returns whether this version of Node gives CommonJS modules that are imported (including the entry point under
 * `--import`) a restricted `require` once a load hook is registered: without `require.cache` and `require.extensions`,
 * with its own module copies, and unable to load ES modules.
 *
 * @param version of Node, as in `process.versions.node`
 */
export function hooksBreakCommonJs(version: string): boolean {
  const major = version.slice(0, version.indexOf('.'))
  const repaired = own(REPAIRED, major)
  if (repaired) return compareVersions(version, repaired) < 0
  return Number(major) < 24
}

/** The format that selects Node's ordinary CommonJS loader, the one that `require` uses. */
export const ORDINARY_COMMONJS = 'commonjs-sync'

type NextLoad = Parameters<LoadHookSync>[2]

/**
 * Wraps the next load hook so that CommonJS goes to the ordinary loader. The affected releases have two problems. With
 * synchronous hooks, Node reads the source early and runs it with the restricted `require`. With asynchronous hooks as
 * well (a TypeScript loader, for example), Node omits the source and then rejects its absence. A source that another
 * hook changed is a string and is left as it is.
 */
export function throughOrdinaryLoader(nextLoad: NextLoad): NextLoad {
  return (url, context) => {
    const loaded = loadOrRead(nextLoad, url, context)
    return loaded.format === 'commonjs' && ArrayBuffer.isView(loaded.source)
      ? { ...loaded, format: ORDINARY_COMMONJS }
      : loaded
  }
}

function loadOrRead(nextLoad: NextLoad, ...[url, context]: Parameters<NextLoad>): LoadFnOutput {
  try {
    return nextLoad(url, context)
  } catch (error) {
    const sourceLeftOut =
      error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_RETURN_PROPERTY_VALUE'
    if (!sourceLeftOut || !url.startsWith('file:')) throw error
    return { format: 'commonjs', source: readFileSync(new URL(url)), shortCircuit: true }
  }
}
