import type { NodePath } from '@babel/traverse'
import type { Node, StringLiteral } from '@babel/types'
import { withoutEnd } from '@svc/core/without-end'
import { requiredModule } from '../follow/calls.ts'
import { keyOf, nameOf, pathOf, pathsOf } from '../follow/value.ts'
import { GONE_NAMES, homeOfCoreName, MOVED_PACKAGES, RENAMED, UNWRAPPED } from '../tables/modules.ts'
import { unwrap } from './namespaces.ts'
import { endOf, type Sheet, startOf } from './sheet.ts'
import { renameRequiredTraceIO } from './trace-io-imports.ts'

const HEADING = 'packages-that-moved'

/** Rewrites the name of one of our modules in imports, exports, `require` and mocks. */
export function rewriteModuleName(path: NodePath<StringLiteral>, sheet: Sheet) {
  const { value } = path.node
  if (!value.startsWith('@svc/') || !isModuleName(path)) return
  const moved = MOVED_PACKAGES[value]
  if (moved) rename(path, moved, sheet)
  else if (value === '@svc/core' && !isSplit(path)) moveWhole(path, sheet)
}

function isModuleName({ parent, node }: NodePath): boolean {
  if (/^(Import|Export(Named|All))Declaration$|^TSExternalModuleReference$/.test(parent.type)) return true
  return parent.type === 'TSImportType' || (parent.type === 'CallExpression' && parent.arguments[0] === node)
}

/** Keeps the quotes. */
function rename(path: NodePath, module: string, sheet: Sheet) {
  sheet.replace(startOf(path) + 1, endOf(path) - 1, module)
}

/** Whether names imported from `@svc/core` are rewritten individually. */
function isSplit({ parentPath }: NodePath): boolean {
  if (parentPath?.isImportDeclaration()) {
    return (
      parentPath.node.specifiers.length > 0 &&
      parentPath.node.specifiers.every((each) => each.type === 'ImportSpecifier')
    )
  }
  if (parentPath?.isExportNamedDeclaration()) return true
  return parentPath ? patternOf(parentPath) !== undefined : false
}

/** Rewrites a namespace, mock or type if all names used from it are in the same new module. */
function moveWhole(path: NodePath, sheet: Sheet) {
  const names = namesReadFrom(path)
  const homes = new Set(names.map((name) => homeOfCoreName(name, sheet.installed)))
  const [home] = homes
  if (home && homes.size === 1 && !names.some((name) => name in GONE_NAMES)) rename(path, home, sheet)
  else {
    const message =
      '@svc/core no longer has exports for applications: types and errors are in @svc/client/api, the logger in @svc/client.'
    sheet.remark('error', path, HEADING, message)
  }
}

function namesReadFrom({ parentPath }: NodePath): string[] {
  if (parentPath?.isTSImportType()) {
    let { qualifier } = parentPath.node
    while (qualifier?.type === 'TSQualifiedName') qualifier = qualifier.left
    return qualifier?.type === 'Identifier' ? [qualifier.name] : []
  }
  const [specifier] = parentPath?.isImportDeclaration() ? pathsOf(parentPath, 'specifiers') : []
  const declarator = parentPath?.parentPath?.isAwaitExpression()
    ? parentPath.parentPath.parentPath
    : parentPath?.parentPath
  const id = specifier
    ? pathOf(specifier, 'local')
    : declarator?.isVariableDeclarator()
      ? pathOf(declarator, 'id')
      : undefined
  if (!id?.isIdentifier()) return []
  const references = id.scope.getBinding(id.node.name)?.referencePaths ?? []
  const names = references.map(({ parent }) => {
    if (parent.type === 'MemberExpression') return keyOf(parent.property, parent.computed)
    return parent.type === 'TSQualifiedName' ? parent.right.name : undefined
  })
  return names.every((name) => name !== undefined) ? names : []
}

/** Returns the pattern that destructures `require('@svc/core')` or `await import('@svc/core')`. */
function patternOf(call: NodePath): NodePath | undefined {
  const holder = call.parentPath?.isAwaitExpression() ? call.parentPath.parentPath : call.parentPath
  const id = holder?.isVariableDeclarator() ? pathOf(holder, 'id') : undefined
  return id?.isObjectPattern() && requiredModule(call) !== undefined ? id : undefined
}

interface Taken {
  readonly name: string
  readonly text: string
  readonly home: string
}

/** Rewrites `import { … } from '@svc/core'`, and removed or renamed names from any of our modules. */
export function rewriteNames(path: NodePath, sheet: Sheet) {
  const { source, specifiers } = path.node as { source?: StringLiteral | null; specifiers: Node[] } & Node
  if (!source?.value.startsWith('@svc/')) return
  const isCore = source.value === '@svc/core'
  const taken = pathsOf(path, 'specifiers').flatMap((each) => takenBy(each, isCore, sheet))
  if (specifiers.length === 0 || !specifiers.every(({ type }) => /^(Im|Ex)portSpecifier$/.test(type))) return
  const named = taken.filter(({ text }) => text !== '')
  const homes = isCore ? [...new Set(named.map(({ home }) => home))] : [source.value]
  const [home = ''] = homes
  if (homes.length === 1 && named.length === specifiers.length) {
    return sheet.replace(startOf(source) + 1, endOf(source) - 1, home)
  }
  split(
    path,
    source,
    homes,
    (each) => named.filter((one) => !isCore || one.home === each).map(({ text }) => text),
    sheet,
  )
}

/** Writes one statement for each module, in the layout of the original one. */
function split(
  path: NodePath,
  source: Node,
  homes: readonly string[],
  namesFrom: (home: string) => readonly string[],
  sheet: Sheet,
) {
  const statement = sheet.source(path)
  const [head = '', space = ' '] = /^[^{]*\{(\s*)/.exec(statement) ?? []
  const listed = statement.slice(0, Math.max(0, statement.lastIndexOf('}')))
  const close = listed === '' ? ' ' : listed.slice(listed.trimEnd().length)
  const comma = listed.trimEnd().endsWith(',') ? ',' : ''
  const quote = sheet.text[startOf(source)]
  const tail = sheet.text.slice(endOf(source), endOf(path))
  const separator = space.includes('\n') ? space : ' '
  const lines = homes.map((home) => {
    const names = namesFrom(home).join(`,${separator}`)
    return `${head}${names}${comma}${close}} from ${quote}${home}${quote}${tail}`
  })
  const before = sheet.text.slice(0, startOf(path))
  const indent = before.slice(withoutEnd(before, ' \t').length)
  const line = sheet.text.includes('\r\n') ? '\r\n' : '\n'
  // An empty statement is removed with its line.
  const rest = lines.length === 0 ? (/^[ \t]*\r?\n/.exec(sheet.text.slice(endOf(path)))?.[0].length ?? 0) : 0
  sheet.replaceWhole(startOf(path), endOf(path) + rest, lines.join(`${line}${indent}`))
}

/** Returns the rewritten specifier. */
function takenBy(specifier: NodePath, isCore: boolean, sheet: Sheet): Taken[] {
  const { imported, local } = specifier.node as { imported?: Node; local?: Node } & Node
  const named = imported ?? local
  const name = named && keyOf(named, false)
  if (!named || name === undefined || /Default|Namespace/.test(specifier.type ?? '')) return []
  const gone = GONE_NAMES[name]
  if (gone) sheet.remark('error', specifier, gone.heading, `${name} is gone. ${gone.instead}`)
  const home = homeOfCoreName(name, sheet.installed)
  const wrapped = UNWRAPPED[name] && imported ? unwrap(specifier, UNWRAPPED[name], sheet) : undefined
  if (wrapped) {
    const text = wrapped.join(', ')
    sheet.replace(startOf(specifier), endOf(specifier), text)
    return [{ name, text, home }]
  }
  const renamed = isCore ? RENAMED[name] : undefined
  if (!renamed) return [{ name, text: sheet.source(specifier), home }]
  const { end, start } = { start: startOf(named), end: endOf(named) }
  const isShort = startOf(local ?? named) === start
  const text = sheet.source(specifier).replace(name, isShort ? `${renamed} as ${name}` : renamed)
  sheet.replace(start, end, isShort ? `${renamed} as ${name}` : renamed)
  return [{ name, text, home }]
}

/** Rewrites `const { … } = require('@svc/core')`. */
export function rewriteRequire(call: NodePath, sheet: Sheet) {
  const module = requiredModule(call)
  const pattern = module?.startsWith('@svc/') ? patternOf(call) : undefined
  if (!pattern) return
  if (module === '@svc/tracing') renameRequiredTraceIO(pattern, sheet)
  const properties = pathsOf(pattern, 'properties')
  const taken = properties.map((property): Taken => {
    const name = nameOf(property) ?? ''
    const gone = GONE_NAMES[name]
    if (gone) sheet.remark('error', property, gone.heading, `${name} is gone. ${gone.instead}`)
    const renamed = module === '@svc/core' ? RENAMED[name] : undefined
    const { shorthand } = property.node as { shorthand?: boolean } & Node
    const text = sheet.source(property)
    return {
      name,
      text: renamed ? (shorthand ? `${renamed}: ${name}` : text.replace(name, renamed)) : text,
      home: homeOfCoreName(name, sheet.installed),
    }
  })
  if (module !== '@svc/core') return
  const homes = [...new Set(taken.map(({ home }) => home))]
  const holder = pattern.parentPath as NodePath
  const value = sheet.source(pathOf(holder, 'init'))
  const parts = homes.map((home) => {
    const names = taken.filter((each) => each.home === home).map(({ text }) => text)
    return `{ ${names.join(', ')} } = ${value.replace('@svc/core', home)}`
  })
  if (
    homes.length === 1 &&
    taken.every(({ name, text }, at) => text === sheet.source(properties[at] as NodePath) && name)
  ) {
    const [named] = pathsOf(call, 'arguments')
    if (named) rename(named, homes[0] as string, sheet)
  } else sheet.replace(startOf(holder), endOf(holder), parts.join(', '))
}
