import type { LoadFnOutput } from 'node:module'
import { builtin } from '@svc/core/builtin'
import { appendLine, readSource } from './source.ts'

/** An export of a file that is to be another value. */
export interface Replacement {
  /** Where the file may be, as `file:` URLs. */
  readonly urls: ReadonlySet<string>
  readonly name: string
  /** Returns what is exported instead. Must not throw. */
  readonly replace: (value: unknown) => unknown
}

/** The same with what the sources of modules call. */
export interface ReachableReplacement extends Replacement {
  inNamespace(namespace: Readonly<Record<string, unknown>>): unknown
  inModule(module: { exports: unknown }): void
}

/** What the module itself is loaded by, where another one is in its place. */
const ITSELF = '?svc'

/** Returns what is loaded in the place of a file, whose source reaches the replacement through a global. */
export function loadReplaced(loaded: LoadFnOutput, url: string, replacement: Replacement, slot: string): LoadFnOutput {
  const ours = `globalThis[Symbol.for(${JSON.stringify(slot)})].replacement`
  const source = readSource(loaded, url)
  return isModule(loaded.format, url, source)
    ? { ...loaded, format: 'module', source: inPlaceOf(url, replacement, ours, source) }
    : appendLine(loaded, url, `;${ours}.inModule(module);`)
}

/** Of a file that is required Node does not know the format before it compiles it. */
function isModule(format: LoadFnOutput['format'], url: string, source: string): boolean {
  if (format) return format === 'module'
  return url.endsWith('.mjs') || (/^[^\S\r\n]*(?:import|export)\b/m.test(source) && !isScript(source))
}

function isScript(source: string): boolean {
  try {
    builtin('node:vm')?.compileFunction(source)
    return true
  } catch {
    return false
  }
}

function inPlaceOf(url: string, { name }: Replacement, ours: string, source: string): string {
  const itself = JSON.stringify(url + ITSELF)
  const lines = [
    `import * as svcItself from ${itself};`,
    `export * from ${itself};`,
    `const svcReplaced = ${ours}.inNamespace(svcItself);`,
    `export { svcReplaced as ${JSON.stringify(name)} };`,
  ]
  // `export *` leaves it out. Where the word means something else, one that is undefined does no harm.
  if (name !== 'default' && /\bdefault\b/.test(source)) lines.push('export default svcItself.default;')
  return lines.join('')
}

/** Returns the replacement with the functions that the sources of modules call. */
export function reachable(replacement: Replacement): ReachableReplacement {
  const { name, replace } = replacement
  return {
    ...replacement,
    inNamespace: (namespace) => replace(namespace[name]),
    inModule: (module) => {
      const { exports } = module
      if (!isObject(exports)) return
      const own = exports[name]
      const value = replace(own)
      if (value === own) return
      const property = { value, writable: true, enumerable: true, configurable: true }
      if (Reflect.defineProperty(exports, name, property)) return
      // Bundlers define exports that cannot be changed.
      const others = Object.getOwnPropertyDescriptors(exports)
      module.exports = Object.create(Object.getPrototypeOf(exports), { ...others, [name]: property })
    },
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
