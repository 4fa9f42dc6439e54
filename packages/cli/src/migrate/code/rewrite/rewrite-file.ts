import { noteUse } from './behaviours.ts'
import { rewriteCall } from './client-calls.ts'
import { rewriteMember, rewriteNamedMember } from './client-members.ts'
import { rewritePattern } from './client-patterns.ts'
import { rewriteModuleName, rewriteNames, rewriteRequire } from './modules.ts'
import type { Sheet } from './sheet.ts'
import { checkMock, checkStandIn } from './stand-ins.ts'
import { renameImportedTraceIO } from './trace-io-imports.ts'
import { checkEvaluator, rewriteActiveTraceIO, rewriteMethod, rewriteProcessor } from './tracing.ts'
import { rewriteIndexedType, rewritePick, rewriteQualifiedName } from './types.ts'

/** Traverses one file and collects its edits and remarks. */
export function rewriteFile(sheet: Sheet): void {
  sheet.program.traverse({
    'MemberExpression|OptionalMemberExpression'(path) {
      rewriteMember(path, sheet)
      rewriteMethod(path, sheet)
      rewriteActiveTraceIO(path, sheet)
    },
    Identifier(path) {
      if (path.isReferencedIdentifier()) rewriteActiveTraceIO(path as never, sheet)
    },
    ObjectPattern: (path) => rewritePattern(path, sheet),
    'CallExpression|OptionalCallExpression'(path) {
      rewriteCall(path, sheet)
      rewriteNamedMember(path, sheet)
      rewriteRequire(path, sheet)
      checkEvaluator(path, sheet)
      checkMock(path, sheet)
      noteUse(path, sheet)
    },
    NewExpression: (path) => {
      rewriteProcessor(path, sheet)
      noteUse(path, sheet)
    },
    StringLiteral: (path) => rewriteModuleName(path, sheet),
    'TSAsExpression|TSSatisfiesExpression|VariableDeclarator'(path) {
      checkStandIn(path, sheet)
    },
    TSTypeReference: (path) => rewritePick(path, sheet),
    TSIndexedAccessType: (path) => rewriteIndexedType(path, sheet),
    TSQualifiedName: (path) => rewriteQualifiedName(path, sheet),
  })
  sheet.program.traverse({
    ImportDeclaration: (path) => {
      noteUse(path, sheet)
      rewriteNames(path, sheet)
      renameImportedTraceIO(path, sheet)
    },
    ExportNamedDeclaration: (path) => {
      rewriteNames(path, sheet)
      renameImportedTraceIO(path, sheet)
    },
  })
}
