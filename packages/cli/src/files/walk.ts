import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { explainUnread } from './text.ts'

const NEVER = new Set(['node_modules', 'dist', '.git', '.next', '.nuxt', '.svelte-kit', '.turbo', 'coverage'])

/** A file or folder that is skipped, and why. */
export interface UnreadPath {
  readonly path: string
  readonly message: string
}

interface WalkOptions {
  /** Whether to skip ignored files. Default: true. */
  readonly gitignore?: boolean
  /** Takes the folders that cannot be read, which are skipped, with the reason. */
  readonly unread: UnreadPath[]
}

/**
 * Returns the files below a folder, with forward slashes, without dependencies, build output and symbolic links.
 *
 * @throws {Error} from Node, if the folder itself cannot be read
 */
export function pathsIn(folder: string, { gitignore = true, unread }: WalkOptions): Generator<string> {
  return below(folder, '', gitignore ? [] : undefined, unread)
}

interface Ignored {
  readonly folder: string
  readonly rules: Ignore
}

function* below(
  root: string,
  at: string,
  ignored: readonly Ignored[] | undefined,
  unread: WalkOptions['unread'],
): Generator<string> {
  let entries: Dirent[]
  try {
    entries = readdirSync(join(root, at), { withFileTypes: true })
  } catch (thrown) {
    // The data of a database in a container often belongs to another user.
    if (at === '') throw thrown
    unread.push({ path: at, message: explainUnread(thrown) })
    return
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  const own =
    ignored && entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
      ? rulesIn(join(root, at))
      : undefined
  const rules = own ? [...(ignored ?? []), { folder: join(root, at), rules: own }] : ignored
  for (const entry of entries) {
    const path = at === '' ? entry.name : `${at}/${entry.name}`
    if (NEVER.has(entry.name) || isIgnored(join(root, path), entry.isDirectory(), rules ?? [])) continue
    if (entry.isDirectory()) yield* below(root, path, rules, unread)
    else if (entry.isFile()) yield path
  }
}

const LONGEST_RULES = 1_048_576
/** A segment of a rule with more wildcards takes too long to match. */
const MANY_WILDCARDS = /(?:(?<!\*)\*+[^*/]*){4}/

function rulesIn(folder: string): Ignore | undefined {
  try {
    const path = join(folder, '.gitignore')
    if (statSync(path).size > LONGEST_RULES) return undefined
    return ignore().add(
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((rule) => !MANY_WILDCARDS.test(rule)),
    )
  } catch {
    return undefined
  }
}

/** A nested .gitignore may negate rules of an outer one. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Ignored[]): boolean {
  let result = false
  for (const each of rules) {
    const inside = relative(each.folder, path).split(sep).join('/')
    const { ignored, unignored } = each.rules.test(isFolder ? `${inside}/` : inside)
    result = ignored || (result && !unignored)
  }
  return result
}
