import { parseSync } from 'vite'
import { read } from './repository.ts'

/** What the comment above a row of `settings.ts` says. */
export interface SettingDoc {
  readonly text: string
  /** How the default is called where its value does not speak for itself: `@default`. */
  readonly default: string | undefined
}

const PATHS = ['packages/core/src/settings-first.ts', 'packages/core/src/settings.ts'] as const

/** The comments above the rows of a table, by the names of the rows. A row of several tables has its own at its place. */
export function docsOf(table: string): ReadonlyMap<string, SettingDoc> {
  // Each name is declared once, and imported there.
  const source = PATHS.map((path) => read(path).replace(/^import .*?from '.*?'$/gms, '')).join('\n')
  const { program, comments } = parseSync(PATHS[1], source)
  const above = (start: number): SettingDoc | undefined => {
    const comment = comments.findLast(({ end }) => end <= start)
    const isAbove = comment?.type === 'Block' && source.slice(comment.end, start).trim() === ''
    return isAbove ? docIn(comment.value) : undefined
  }
  const own = new Map<string, SettingDoc | undefined>()
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration') continue
    const [{ id, init } = {}] = declared.declarations
    if (id?.type !== 'Identifier') continue
    // Or `Object.assign` of tables.
    const parts = init?.type === 'CallExpression' ? init.arguments : [init]
    if (id.name === table && parts.some((part) => part?.type === 'ObjectExpression')) {
      const rows = parts.flatMap((part) => {
        if (part?.type === 'Identifier') return [...docsOf(part.name)]
        return part?.type !== 'ObjectExpression'
          ? []
          : part.properties.flatMap((property) => {
              if (property.type !== 'Property' || property.key.type !== 'Identifier') return []
              const { name } = property.key
              const doc = above(property.start) ?? own.get(name)
              return doc ? [[name, doc] as const] : []
            })
      })
      return new Map(rows)
    }
    own.set(id.name, above(statement.start))
  }
  throw new Error(`${PATHS[1]} has no table ${table}`)
}

function docIn(comment: string): SettingDoc {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trim())
  const [text = '', named] = lines.join(' ').split(/\s*@default\s+/)
  return { text: text.replace(/^\*/, '').trim(), default: named?.trim() }
}
