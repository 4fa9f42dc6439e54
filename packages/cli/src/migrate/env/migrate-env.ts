import { join } from 'node:path'
import type { SourceFile } from '../../files/source-file.ts'
import { readSource } from '../../files/text.ts'
import { pathsIn, type UnreadPath } from '../../files/walk.ts'
import { type EnvFormat, envFormatOf } from './env-files.ts'
import { insteadOf, KNOWN_NAMES, meantBy, OTHER_VALUES, vendorAt, vendorOf } from './names.ts'

/** A variable to remove or rename. Does not contain its value. */
export interface Leftover {
  /** Relative to the folder of the app, with forward slashes. */
  readonly path: string
  /** Starts at 1. */
  readonly line: number
  readonly name: string
  /** Its vendor and its replacement. */
  readonly message: string
  /** The change that `--write` makes; undefined if the user has to change it. */
  readonly change: 'rename' | 'comment out' | undefined
}

/** The planned changes of an app's files. Nothing is written yet. */
export interface EnvMigration {
  readonly read: readonly string[]
  readonly leftovers: readonly Leftover[]
  /** Files that cannot be read, and why. */
  readonly unread: readonly UnreadPath[]
  readonly changes: readonly SourceFile[]
}

/**
 * Finds variables of other vendors and names that svc does not read, in `.env*`, compose files, Dockerfiles and CI
 * files. Reads ignored files, too, because `.env` usually is one.
 *
 * @throws {Error} from Node, if the folder cannot be read
 */
export function planEnvironment(folder: string): EnvMigration {
  const [read, unread, leftovers, changes]: [string[], UnreadPath[], Leftover[], SourceFile[]] = [[], [], [], []]
  for (const path of pathsIn(folder, { gitignore: false, unread })) {
    const format = envFormatOf(path)
    if (!format) continue
    const { text, message } = readSource(join(folder, path))
    if (text === undefined) {
      unread.push({ path, message: message ?? 'is not UTF-8' })
      continue
    }
    read.push(path)
    const found = leftoversIn(path, text, format)
    leftovers.push(...found)
    const changed = rewritten(text, found)
    if (changed !== text) changes.push({ path, text: changed })
  }
  return { read, leftovers, unread, changes }
}

function leftoversIn(path: string, text: string, format: EnvFormat): Leftover[] {
  const lines = text.split('\n')
  const set = new Set(lines.flatMap((line) => (isComment(line) ? [] : (nameSetIn(line) ?? []))))
  return lines.flatMap((line, at) => {
    if (isComment(line)) return []
    const place = { path, line: at + 1 }
    const named = [...new Set(namesIn(line, format))].flatMap((name) => leftoverOf(name, line, format, set) ?? [])
    return [...named, ...exporterIn(line)].map((each) => ({ ...place, ...each }))
  })
}

type Found = Omit<Leftover, 'path' | 'line'>

/** Returns the names of variables that a line sets or refers to. Anything else in a `.env` value may be a secret. */
function namesIn(line: string, format: EnvFormat): string[] {
  const referred = [...line.matchAll(/\$\{?\{?\s*(?:secrets\.|vars\.|env\.)?([A-Za-z]\w*)/g)]
  const assigned = format === 'env' ? [] : [...line.matchAll(/(?<![\w.-])([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?==)/g)]
  return [nameSetIn(line) ?? '', ...[...referred, ...assigned].map(([, name = '']) => name)]
}

/** Returns the variable that a line sets: `A=1`, `export A=1`, `ENV A 1`, `A: 1`, `- A=1`, `-e A=1`. */
function nameSetIn(line: string): string | undefined {
  return /^\s*(?:-\s+)?["']?(?:export\s+|ENV\s+|ARG\s+|set\s+)?([A-Za-z_]\w*)["']?\s*(?:=|:|\s\S)/.exec(line)?.[1]
}

const isComment = (line: string) => /^\s*(#|\/\/)/.test(line)

function leftoverOf(name: string, line: string, format: EnvFormat, set: ReadonlySet<string>): Found | undefined {
  const vendor = vendorOf(name)
  if (vendor) {
    const change = format === 'env' && nameSetIn(line) === name && !isContinued(line) ? 'comment out' : undefined
    return { name, message: `${name} is of ${vendor}. ${insteadOf(name)}`, change }
  }
  if (name === 'SOURCE_API_KEY') {
    return {
      name,
      message: `${name} is for svc migrate datasets: remove it from the app when the datasets are imported.`,
      change: undefined,
    }
  }
  if (!/^svc_/i.test(name) || KNOWN_NAMES.includes(name)) return undefined
  const meant = meantBy(name)
  if (meant === undefined) return undefined
  const isSet = set.has(meant)
  const message = isSet
    ? `svc does not read ${name}, and ${meant} is set: remove it.`
    : `svc does not read ${name}: it is ${meant}.`
  return { name, message, change: isSet || OTHER_VALUES.has(name.toUpperCase()) ? undefined : 'rename' }
}

/** A value with several lines cannot be commented out by its first line. */
const isContinued = (line: string) => /\\\s*$/.test(line) || (line.match(/(?<!\\)["'`]/g)?.length ?? 0) % 2 === 1

/** Finds OpenTelemetry exporters that send to another vendor. */
function exporterIn(line: string): Found[] {
  const name = /\bOTEL_EXPORTER_OTLP_(?:TRACES_)?(?:ENDPOINT|HEADERS)\b/.exec(line)?.[0]
  const vendor = name && vendorAt(line)
  if (!name || !vendor) return []
  const message = `${name} sends to ${vendor}. SVC_BASE_URL replaces it; if both are set, it is a second destination.`
  return [{ name, message, change: undefined }]
}

function rewritten(text: string, leftovers: readonly Leftover[]): string {
  const lines = text.split('\n')
  for (const { line, name, change } of leftovers) {
    const before = lines[line - 1] ?? ''
    const name$ = new RegExp(`(?<![\\w.-])${name}(?![\\w-])`, 'g')
    if (change === 'comment out') lines[line - 1] = before.startsWith('# ') ? before : `# ${before}`
    if (change === 'rename') lines[line - 1] = before.replace(name$, meantBy(name) ?? name)
  }
  return lines.join('\n')
}
