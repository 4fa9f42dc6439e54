import type { NodePath } from '@babel/traverse'
import type { Node } from '@babel/types'
import type { Severity } from '../../../severity.ts'
import type { Edit } from '../edits.ts'
import { pathOf } from '../follow/value.ts'
import type { ProgramPath } from '../syntax.ts'
import type { Heading } from '../tables/members.ts'

/** A message about a place in a file. */
export interface Remark {
  /**
   * `error`: does not work in version 6 and has to be changed by hand. `warning`: may not work; the code does not show
   * it. `info`: works, but behaves differently.
   */
  readonly severity: Severity
  /** Offset in the text. */
  readonly start: number
  readonly message: string
  readonly heading: Heading
}

/** The edits and remarks of a file that is being rewritten. */
export class Sheet {
  readonly edits: Edit[] = []
  readonly remarks: Remark[] = []
  readonly path: string
  readonly text: string
  readonly program: ProgramPath
  /** Whether the app uses version 5, so that ambiguous code has its meaning in version 5. */
  readonly isVersion5: boolean
  /** Names of our packages in the nearest package.json. */
  readonly installed: ReadonlySet<string>

  constructor(file: Pick<Sheet, 'path' | 'text' | 'program' | 'isVersion5' | 'installed'>) {
    this.path = file.path
    this.text = file.text
    this.program = file.program
    this.isVersion5 = file.isVersion5
    this.installed = file.installed
  }

  replace(start: number, end: number, text: string): void {
    if (this.text.slice(start, end) !== text) this.edits.push({ start, end, text })
  }

  /** Replaces text, and drops the edits inside it. */
  replaceWhole(start: number, end: number, text: string): void {
    const others = this.edits.filter((each) => each.end <= start || each.start >= end)
    this.edits.splice(0, this.edits.length, ...others)
    this.replace(start, end, text)
  }

  insert(at: number, text: string): void {
    this.edits.push({ start: at, end: at, text })
  }

  /** Renames the key of a property: `{ scoreIds }` becomes `{ id: scoreIds }`. */
  renameKey(property: NodePath, to: string): void {
    const key = pathOf(property, 'key')
    const { shorthand } = property.node as { shorthand?: boolean } & Node
    if (shorthand && this.source(key) !== to) this.insert(startOf(property), `${to}: `)
    else this.replace(startOf(key), endOf(key), to)
  }

  remark(severity: Severity, at: Node | NodePath, heading: Heading, message: string): void {
    const start = startOf(at)
    if (this.remarks.some((each) => each.start === start && each.message === message)) return
    this.remarks.push({ severity, start, message, heading })
  }

  source(at: Node | NodePath): string {
    return this.text.slice(startOf(at), endOf(at))
  }
}

const nodeOf = (at: Node | NodePath): Node => ('node' in at && 'scope' in at ? at.node : at) as Node

/** The parser always sets positions. */
export const startOf = (at: Node | NodePath): number => nodeOf(at).start ?? 0
export const endOf = (at: Node | NodePath): number => nodeOf(at).end ?? 0
