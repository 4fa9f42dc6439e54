import { describe, expect, it } from 'vitest'
import { packages, type Source, sources } from './repository.ts'

/**
 * Words that no exported name has, because OpenTelemetry, the GenAI conventions or Node have another one, or because each
 * place meant something else by it. At most 20: where one comes in, one goes.
 */
const RETIRED = new Set([
  ...['said', 'asked', 'told', 'heard', 'hear', 'ear', 'begun', 'manner', 'spelling', 'aside', 'quietly', 'fate'],
  ...['meanwhile', 'sightings', 'foresight', 'wishes', 'whoever', 'nobody', 'somebody'],
])

/** Type names that two files of one package export, with the reason. */
const ALLOWED_TWICE: Readonly<Record<string, string>> = {
  'client/ChatMessageType': 'the contract has it in @svc/client and in @svc/client/api, with other members',
  'client/Evaluator': 'the contract has it in @svc/client (a function) and in @svc/client/api (a stored record)',
  'client/ExperimentItem': 'the contract has it in @svc/client (an input) and in @svc/client/api (a stored record)',
}

const TYPES = ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration']

describe('exported names', () => {
  it('have no retired word', () => {
    const retired = sources.flatMap((file) =>
      exportsOf(file)
        .filter(({ name }) => wordsIn(name).some((word) => RETIRED.has(word)))
        .map(({ name }) => `${file.path} exports ${name}`),
    )
    expect(retired).toEqual([])
  })

  it.each(packages)('of types have one meaning in %s', (name) => {
    const places = new Map<string, string[]>()
    for (const file of sources.filter(({ home }) => home === name)) {
      const types = exportsOf(file).filter(({ type }) => TYPES.includes(type))
      for (const type of types) places.set(type.name, [...(places.get(type.name) ?? []), file.path])
    }
    const twice = [...places].filter(([type, paths]) => paths.length > 1 && !(`${name}/${type}` in ALLOWED_TWICE))
    expect(twice).toEqual([])
  })
})

/** `isSaidOnce` → `is`, `said`, `once` */
const wordsIn = (name: string): string[] => name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase())

/** What a file exports under which name, with the kind of its declaration. */
function exportsOf({ syntax }: Source): { name: string; type: string }[] {
  return syntax.program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return []
    const { declaration, specifiers } = node as unknown as {
      declaration: { type: string; id?: Named; declarations?: { id: Named }[] } | null
      specifiers: { type: string; exported: Named }[]
    }
    const named = specifiers.map(({ type, exported }) => ({ name: exported.name, type }))
    if (!declaration) return named
    const ids = declaration.declarations?.map(({ id }) => id) ?? [declaration.id]
    return ids.flatMap((id) => (id?.name ? [{ name: id.name, type: declaration.type }] : []))
  })
}

interface Named {
  readonly name: string
}
