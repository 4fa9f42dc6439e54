import type { NodePath } from '@babel/traverse'
import type { Node } from '@babel/types'
import type { ProgramPath } from '../syntax.ts'

/** Resolves and opens the files of an app. */
export interface Files {
  /** Returns the syntax tree of a file; undefined if it cannot be read or parsed. */
  open(path: string): ProgramPath | undefined
  /** Returns the file of a module name; `foreign` if it is not a file of this app, undefined if that is unknown. */
  resolve(from: string, specifier: string): { readonly path: string } | 'foreign' | undefined
}

interface Place {
  readonly path: string
  readonly files: Files
}

const places = new WeakMap<Node, Place>()

/** Stores the path of a program. */
export function locate(program: ProgramPath, path: string, files: Files): ProgramPath {
  places.set(program.node, { path, files })
  return program
}

export function placeOf(path: NodePath): Place | undefined {
  return places.get(path.scope.getProgramParent().path.node)
}
