import type { LoadFnOutput } from 'node:module'
import { compare } from './target.ts'

/** First release of each line in which CommonJS modules behave as usual while a synchronous load hook is around. */
const REPAIRED: Readonly<Record<string, string>> = { 22: '22.22.3', 24: '24.11.1', 25: '25.1.0' }

/**
 * Whether this Node gives CommonJS modules that come through `import`, the entry point under `--import` among them, a
 * poorer `require` as soon as any load hook is registered: without `require.cache` and `require.extensions`, with
 * copies of its own, and unable to load ES modules.
 *
 * @param version of Node, as in `process.versions.node`
 */
export function hooksBreakCommonJs(version: string): boolean {
  const major = version.slice(0, version.indexOf('.'))
  const repaired = REPAIRED[major]
  if (repaired) return compare(version, repaired) < 0
  return Number(major) < 24
}

/**
 * Sends such a module to the ordinary CommonJS loader: `commonjs-sync` is the name under which those releases keep it.
 * A source that another hook has changed is a text and is left as it is.
 */
export function asOrdinaryCommonJs(loaded: LoadFnOutput): LoadFnOutput {
  return loaded.format === 'commonjs' && ArrayBuffer.isView(loaded.source)
    ? { ...loaded, format: 'commonjs-sync' }
    : loaded
}
