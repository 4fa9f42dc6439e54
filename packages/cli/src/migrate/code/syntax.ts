import { createRequire } from 'node:module'
import { type ParserPlugin, parse } from '@babel/parser'
import type { NodePath } from '@babel/traverse'
import type { Program } from '@babel/types'

// `require`, because the default import of this CommonJS module depends on the loader.
const { default: traverse } = createRequire(import.meta.url)('@babel/traverse') as typeof import('@babel/traverse')

export type ProgramPath = NodePath<Program>

/** A syntax error in a file. */
export interface SyntaxFault {
  readonly line: number
  /** Starts at 1. */
  readonly column: number
  readonly message: string
}

/** Parses TypeScript or JavaScript, with scopes and positions. */
export function programOf(path: string, text: string): ProgramPath | SyntaxFault {
  try {
    // The parser does not accept `#!` after a byte order mark.
    const readable = text.replace(/^\ufeff#!/, '// ')
    return scoped(parse(readable, { ...LENIENT, plugins: pluginsFor(path), sourceType: sourceTypeOf(path) }))
  } catch (thrown) {
    const { loc, message } = thrown as SyntaxError & { loc?: { line: number; column: number } }
    // The parser has a function for each level: a file with too many has no position.
    if (!loc)
      return { line: 1, column: 1, message: thrown instanceof RangeError ? 'it is nested too deeply' : `${thrown}` }
    return { line: loc.line, column: loc.column + 1, message: message.replace(/ \(\d+:\d+\)$/, '') }
  }
}

/** Errors that only matter to a compiler are ignored. */
const LENIENT = {
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowNewTargetOutsideFunction: true,
  allowSuperOutsideMethod: true,
  allowUndeclaredExports: true,
} as const

const ALWAYS: readonly ParserPlugin[] = ['decorators', 'decoratorAutoAccessors', 'explicitResourceManagement']

function pluginsFor(path: string): ParserPlugin[] {
  if (/\.[cm]?ts$/.test(path))
    return [...ALWAYS.filter((each) => each !== 'decorators'), 'decorators-legacy', 'typescript']
  if (path.endsWith('.tsx'))
    return [...ALWAYS.filter((each) => each !== 'decorators'), 'decorators-legacy', 'typescript', 'jsx']
  return [...ALWAYS, 'jsx']
}

function sourceTypeOf(path: string): 'module' | 'script' | 'unambiguous' {
  return /\.m[jt]s$/.test(path) ? 'module' : path.endsWith('.cjs') ? 'script' : 'unambiguous'
}

function scoped(file: ReturnType<typeof parse>): ProgramPath {
  let program: ProgramPath | undefined
  traverse(file, {
    Program(path) {
      program = path
      path.stop()
    },
  })
  return program as ProgramPath
}
