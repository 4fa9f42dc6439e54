import { attempt } from '@svc/core/attempt'
import { log } from '@svc/core/log'
import { applyPatch } from './apply-patch.ts'
import { asRecord, type Fields } from './gen-ai/read.ts'
import { LIBRARIES } from './libraries.ts'
import type { Library } from './library.ts'

/**
 * Instruments libraries by their exports. For bundled applications, whose packages the preload cannot see. Call it
 * once, before the first client is created. Never throws; logs one warning for an unknown library or one that cannot be
 * instrumented in a bundle.
 *
 * @param libraries the results of `import * as library from 'library'`
 * @returns whether anything was instrumented that was not yet
 * @example
 * import * as anthropic from '@anthropic-ai/sdk'
 * import * as openai from 'openai'
 * import { instrument } from '@svc/instrumentation'
 *
 * instrument(openai, anthropic)
 */
export function instrument(...libraries: readonly unknown[]): boolean {
  return libraries.map((exports) => attempt('instrument a library', () => instrumentOne(exports))).includes(true)
}

function instrumentOne(exports: unknown): boolean {
  const named = typeof exports === 'function' ? { ...exports } : asRecord(exports)
  const found = LIBRARIES.filter(({ bundle }) => bundle?.isExportedIn(named))
  if (found.length > 0) return found.map((library) => patchBundled(library, exports, named)).includes(true)
  const hint = 'Pass the result of `import * as` of a library in docs/instrumentation.md.'
  log.once('warn', `instrument() does not know this library (${describeExports(exports, named)}). ${hint}`)
  return false
}

function patchBundled({ name, patch, bundle }: Library, exports: unknown, named: Fields): boolean {
  const advice = bundle?.advice?.(named)
  if (advice) log.once('warn', `instrument() cannot instrument this library: ${advice}`)
  const bundled = bundle?.patch ?? patch
  return bundled !== undefined && applyPatch(name, bundled, exports)
}

const NAMES_LISTED = 5

function describeExports(exports: unknown, named: Fields): string {
  const names = Object.keys(named)
  if (names.length === 0) return exports === null ? 'null' : typeof exports
  return [...names.slice(0, NAMES_LISTED), ...(names.length > NAMES_LISTED ? ['…'] : [])].join(', ')
}
