import type { StringLiteral } from '@babel/types'
import type { Edit } from './edits.ts'
import { MOVED_PACKAGES } from './moved-packages.ts'
import type { ProgramPath } from './syntax.ts'

/** Names of packages that are part of another one, wherever a module is named: imports, exports, `require`, mocks. */
export function moduleEdits(program: ProgramPath): Edit[] {
  const edits: Edit[] = []
  program.traverse({
    StringLiteral({ node, parentPath }) {
      const moved = MOVED_PACKAGES[node.value]
      if (moved && isModuleName(node, parentPath.node)) edits.push(inQuotes(node, moved))
    },
  })
  return edits
}

function isModuleName(node: StringLiteral, parent: { type: string; arguments?: unknown }): boolean {
  if (/^(Import|Export(Named|All))Declaration$|^TSImportType$|^TSExternalModuleReference$/.test(parent.type))
    return true
  return parent.type === 'CallExpression' && (parent.arguments as unknown[])[0] === node
}

/** The quotes stay as they are. */
function inQuotes({ start, end }: StringLiteral, text: string): Edit {
  return { start: (start ?? 0) + 1, end: (end ?? 0) - 1, text }
}
