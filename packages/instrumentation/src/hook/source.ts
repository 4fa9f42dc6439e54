import { readFileSync } from 'node:fs'
import type { LoadFnOutput } from 'node:module'
import { ORDINARY_COMMONJS } from './commonjs.ts'

/** Edits a source. */
export type SourceEditor = (source: string) => string

/**
 * Returns what a load hook got from Node with one line appended, which passes the module's exports to
 * `globalThis[Symbol.for(slot)]`.
 */
export function appendHandOver(
  loaded: LoadFnOutput,
  url: string,
  slot: string,
  edit: SourceEditor = identity,
): LoadFnOutput {
  return appendLine(loaded, url, handOver(loaded.format, url, slot), edit)
}

/** Returns what a load hook got from Node with one line appended. */
export function appendLine(
  loaded: LoadFnOutput,
  url: string,
  line: string,
  edit: SourceEditor = identity,
): LoadFnOutput {
  const { format } = loaded
  const source = `${edit(readSource(loaded, url))}\n${line}`
  // A source that we add where Node omitted it would run with the restricted `require`; see commonjs.ts.
  const leftOut = format === 'commonjs' && !loaded.source
  return { ...loaded, source, format: leftOut ? ORDINARY_COMMONJS : format }
}

function handOver(format: LoadFnOutput['format'], url: string, slot: string): string {
  const [name, moduleUrl] = [JSON.stringify(slot), JSON.stringify(url)]
  const call = (exports: string) => `globalThis[Symbol.for(${name})]?.handOver(${moduleUrl}, ${exports});`
  if (format === 'module' || (!format && url.endsWith('.mjs'))) {
    // A module may import itself: its namespace is complete when the last line runs.
    return `import * as svcOwnExports from ${moduleUrl};${call('svcOwnExports')}`
  }
  // Node may not know yet whether a file is CommonJS. ES modules have no `module`.
  return `;typeof module === 'object' && ${call('module.exports')}`
}

/** Returns the source of a file that a load hook got from Node. */
export function readSource({ source }: LoadFnOutput, url: string): string {
  if (typeof source === 'string') return source
  // Node omits the source of CommonJS files while asynchronous loader hooks are registered.
  return source ? new TextDecoder().decode(source) : readFileSync(new URL(url), 'utf8')
}

function identity(source: string): string {
  return source
}
