import { applyEdits } from './edits.ts'
import { moduleEdits } from './modules.ts'
import { programOf, type SyntaxFault } from './syntax.ts'

/** A file of an app, rewritten from version 5 to version 6. */
export interface MigratedFile {
  readonly text: string
  /** Where the file does not parse, in which case its text is as it was. */
  readonly fault?: SyntaxFault
}

/**
 * Rewrites one file from version 5 to version 6. What is not touched stays byte for byte.
 *
 * @param path its name says which language it is in
 */
export function migrateFile(path: string, text: string): MigratedFile {
  const program = programOf(path, text)
  if ('says' in program) return { text, fault: program }
  return { text: applyEdits(text, moduleEdits(program)) }
}
