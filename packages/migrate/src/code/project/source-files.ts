import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** A file of the app. */
export interface SourceFile {
  /** Relative to the folder of the app, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** A file that is left alone, and why. */
export interface UnreadFile {
  readonly path: string
  readonly says: string
}

export interface Found {
  readonly sources: readonly SourceFile[]
  readonly manifests: readonly SourceFile[]
  readonly unread: readonly UnreadFile[]
}

const NEVER = new Set(['node_modules', 'dist', '.git', '.next', '.nuxt', '.svelte-kit', '.turbo', 'coverage'])
const SOURCE = /(?<!\.min)\.[cm]?[jt]sx?$/
/** Code inside other languages, which is not taken apart here. */
const EMBEDDED = /\.(vue|svelte|astro|mdx)$/
const MOST_BYTES = 4_194_304

/**
 * Reads an app: its sources and its package.json files. Dependencies, what was built, what .gitignore names, and symbolic
 * links are left out.
 */
export function filesIn(folder: string): Found {
  const sources: SourceFile[] = []
  const manifests: SourceFile[] = []
  const unread: UnreadFile[] = []
  for (const path of pathsIn(folder, '', [])) {
    const isManifest = /(^|\/)package\.json$/.test(path)
    if (!isManifest && !SOURCE.test(path) && !EMBEDDED.test(path)) continue
    const content = textOf(join(folder, path))
    if (content.text === undefined) {
      if (content.says) unread.push({ path, says: content.says })
    } else if (EMBEDDED.test(path)) {
      if (content.text.includes('@svc/'))
        unread.push({ path, says: 'is in a language that is not read here: look at it by hand' })
    } else (isManifest ? manifests : sources).push({ path, text: content.text })
  }
  return { sources, manifests, unread }
}

interface Ignored {
  readonly folder: string
  readonly rules: Ignore
}

function* pathsIn(root: string, at: string, ignored: readonly Ignored[]): Generator<string> {
  const entries = readdirSync(join(root, at), { withFileTypes: true }).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  )
  const own = entries.some(({ name }) => name === '.gitignore') ? rulesIn(join(root, at)) : undefined
  const rules = own ? [...ignored, { folder: join(root, at), rules: own }] : ignored
  for (const entry of entries) {
    const path = at === '' ? entry.name : `${at}/${entry.name}`
    if (NEVER.has(entry.name) || isIgnored(join(root, path), entry.isDirectory(), rules)) continue
    if (entry.isDirectory()) yield* pathsIn(root, path, rules)
    else if (entry.isFile()) yield path
  }
}

function rulesIn(folder: string): Ignore | undefined {
  try {
    return ignore().add(readFileSync(join(folder, '.gitignore'), 'utf8'))
  } catch {
    return undefined
  }
}

/** A later file may take back what an earlier one says. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Ignored[]): boolean {
  let result = false
  for (const each of rules) {
    const inside = relative(each.folder, path).split(sep).join('/')
    const { ignored, unignored } = each.rules.test(isFolder ? `${inside}/` : inside)
    result = ignored || (result && !unignored)
  }
  return result
}

/** The text of a file with its byte order mark. Undefined, with a reason where it is about us, for what cannot be read. */
export function textOf(path: string): { readonly text?: string; readonly says?: string } {
  try {
    const bytes = readFileSync(path)
    const isOurs = bytes.includes('@svc/')
    if (lstatSync(path).size > MOST_BYTES) return isOurs ? { says: 'is larger than 4 MB: look at it by hand' } : {}
    try {
      return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
    } catch {
      return isOurs ? { says: 'is not UTF-8: look at it by hand' } : {}
    }
  } catch (thrown) {
    return { says: `cannot be read (${(thrown as NodeJS.ErrnoException).code ?? thrown})` }
  }
}
