import { basename } from 'node:path'
import { Visitor } from 'vite'
import { expect, it } from 'vitest'
import { lineAt, type Source, sources } from './repository.ts'

// With any other type of table the compiler lets only names through that are known to be in it.
it('a name from outside is looked up in a table with own(): what every object inherits is not in it', () => {
  const tables = new Set(sources.flatMap((file) => tablesIn(file).map((name) => `${moduleOf(file.path)} ${name}`)))
  const lookups = sources.flatMap((file) => {
    const imported = namesImportedIn(file).flatMap(({ name, from }) => (tables.has(`${from} ${name}`) ? [name] : []))
    return lookupsIn(file, new Set([...tablesIn(file), ...imported])).map((line) => `${file.path}:${line}`)
  })
  expect(lookups).toEqual([])
})

/** Names of constants that are objects with any text as a key. */
function tablesIn({ syntax, text }: Source): string[] {
  const names: string[] = []
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type !== 'Identifier' || !id.typeAnnotation || init?.type === 'NewExpression') return
      const type = text.slice(id.typeAnnotation.start, id.typeAnnotation.end)
      if (/^: (?:Readonly<|Partial<)*Record<string,/.test(type) && /^[A-Z][A-Z0-9_]*$/.test(id.name))
        names.push(id.name)
    },
  }).visit(syntax.program)
  return names
}

/** The last part of a path, which is the same in an import. */
const moduleOf = (path: string): string => basename(path, '.ts')

function namesImportedIn({ syntax }: Source): { name: string; from: string }[] {
  const names: { name: string; from: string }[] = []
  new Visitor({
    ImportDeclaration: ({ source, specifiers }) => {
      for (const { local } of specifiers) names.push({ name: local.name, from: moduleOf(source.value) })
    },
  }).visit(syntax.program)
  return names
}

function lookupsIn({ syntax, text }: Source, tables: ReadonlySet<string>): number[] {
  const lines: number[] = []
  new Visitor({
    MemberExpression: ({ computed, object, property, start }) => {
      if (!computed || object.type !== 'Identifier' || property.type === 'Literal' || !tables.has(object.name)) return
      lines.push(lineAt(text, start))
    },
  }).visit(syntax.program)
  return lines
}
