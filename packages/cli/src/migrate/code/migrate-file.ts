import { applyEdits, type Edit } from './edits.ts'
import { type Files, locate } from './follow/files.ts'
import { startCounting } from './follow/members.ts'
import { rewriteFile } from './rewrite/rewrite-file.ts'
import { type Remark, Sheet } from './rewrite/sheet.ts'
import { programOf, type SyntaxFault } from './syntax.ts'

/** A rewritten file. */
export interface MigratedFile {
  readonly text: string
  readonly edits: readonly Edit[]
  readonly remarks: readonly Remark[]
  /** Set if the file cannot be parsed; its text is then unchanged. */
  readonly fault?: SyntaxFault
}

/** The context of a file in its app. */
export interface Surroundings {
  readonly files?: Files
  readonly isVersion5?: boolean
  readonly installed?: ReadonlySet<string>
}

const NO_FILES: Files = {
  open: () => undefined,
  resolve: (_, name) => (name.startsWith('.') ? undefined : 'foreign'),
}

/** Rewrites one file. Unaffected text stays the same byte for byte. The extension of `path` determines the language. */
export function migrateFile(
  path: string,
  text: string,
  { files = NO_FILES, isVersion5 = true, installed = new Set() }: Surroundings = {},
): MigratedFile {
  const program = files.open(path) ?? programOf(path, text)
  if ('message' in program)
    return leftAlone(text, { ...program, message: `cannot be parsed and is not changed: ${program.message}` })
  const sheet = new Sheet({ path, text, program: locate(program, path, files), isVersion5, installed })
  startCounting()
  try {
    rewriteFile(sheet)
  } catch (thrown) {
    // An unexpected file must not stop the migration of the others.
    return leftAlone(text, { line: 1, column: 1, message: `cannot be analyzed and is not changed: ${thrown}` })
  }
  return {
    text: applyEdits(text, sheet.edits),
    edits: sheet.edits,
    remarks: sheet.remarks.sort((one, other) => one.start - other.start),
  }
}

function leftAlone(text: string, fault: SyntaxFault): MigratedFile {
  return { text, edits: [], remarks: [], fault }
}
