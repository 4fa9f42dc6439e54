import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Kind } from './run.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A version of a library under the name by which it is installed, `openai-4`, and how it is loaded. */
export interface Way {
  readonly name: string
  readonly kind: Kind
}

/**
 * Libraries of most applications, one for each way in which libraries are recorded: a client, telemetry, callbacks, trace
 * processors. Some of them are imported, the others required.
 */
export const MAIN: Readonly<Record<string, Kind>> = {
  openai: 'import',
  'ai-7': 'require',
  langchain: 'import',
  agents: 'require',
}

/** Folders with the cases of a library. */
export const LIBRARIES = readdirSync(root).filter((name) =>
  ['cases.mjs', 'package.json'].every((file) => existsSync(`${root}${name}/${file}`)),
)

/** What calls models by the clients of others. Beside the clients it has a file of tests of its own, for it takes as long. */
export function isFramework(library: string): boolean {
  return /^(agents|ai|claude-agent|lang|mcp)/.test(library)
}

/** The newest version of a main library, loaded in its way. */
export function mainWay(library: string): Way[] {
  return newestIn(library).flatMap((name) => ({ name, kind: MAIN[library] ?? 'import' }))
}

/** All others: the newest version imported and required, and the older ones in turn. */
export function otherWays(library: string): Way[] {
  const newest = newestIn(library)
  const ways = installed(library).flatMap((name, index): Way[] =>
    newest.includes(name)
      ? KINDS.map((kind) => ({ name, kind }))
      : [{ name, kind: index % KINDS.length ? 'require' : 'import' }],
  )
  return ways.filter(({ name, kind }) => {
    const isMain = newest.includes(name) && kind === MAIN[library]
    return !isMain && !(kind === 'require' && ONLY_IMPORTED.includes(library))
  })
}

const KINDS: readonly Kind[] = ['import', 'require']

/** Newer versions cannot be required. */
const ONLY_IMPORTED = ['perplexity']

/** Folders of what is older than the newest version, and recorded in another way. */
const OLDER = /-first$|-before-/

/** Names without a later one of the same package: `openai-7` of `openai-4.19`, `openai-7`. */
export function newestIn(library: string): string[] {
  const packageOf = (name: string) => name.replace(/-[\d.]+$/, '')
  const isLast = (name: string, at: number, all: readonly string[]) =>
    !all.slice(at + 1).some((later) => packageOf(later) === packageOf(name))
  return OLDER.test(library) ? [] : installed(library).filter(isLast)
}

/** Names a library is installed under, oldest version first as its package.json has them. */
function installed(library: string): string[] {
  const { devDependencies } = JSON.parse(readFileSync(`${root}${library}/package.json`, 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return Object.entries(devDependencies).flatMap(([name, version]) => (version.startsWith('npm:') ? [name] : []))
}
