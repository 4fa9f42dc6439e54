import type { NodePath } from '@babel/traverse'
import type { Node } from '@babel/types'
import type { ProgramPath } from '../syntax.ts'

/** The files of an app, as far as one file leads to another. */
export interface Files {
  /** The syntax of a file; undefined where it cannot be read or does not parse. */
  open(path: string): ProgramPath | undefined
  /** The file that a module name means; `foreign` where it is no file of this app, undefined where nobody can know. */
  resolve(from: string, specifier: string): { readonly path: string } | 'foreign' | undefined
}

interface Place {
  readonly path: string
  readonly files: Files
}

const places = new WeakMap<Node, Place>()

/** Remembers which file a program is. */
export function locate(program: ProgramPath, path: string, files: Files): ProgramPath {
  places.set(program.node, { path, files })
  return program
}

export function placeOf(path: NodePath): Place | undefined {
  return places.get(path.scope.getProgramParent().path.node)
}
