import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import type { SourceFile } from '../../files/source-file.ts'
import type { Severity } from '../../severity.ts'
import { type Edit, offsetAfter } from './edits.ts'
import { migrateFile } from './migrate-file.ts'
import { linkedFiles } from './project/linked-files.ts'
import { installedBy, migrateManifest } from './project/manifest.ts'
import { filesIn } from './project/source-files.ts'
import type { Remark } from './rewrite/sheet.ts'
import type { Heading } from './tables/members.ts'
import { mayConcern } from './tables/words.ts'

/** A file before and after the rewrite. */
export interface ChangedFile extends SourceFile {
  readonly before: string
}

export interface Position {
  /** Starts at 1. */
  readonly line: number
  /** Starts at 1. */
  readonly column: number
}

/** A place that the user has to look at. */
export interface Place {
  readonly path: string
  readonly severity: Severity
  /** Undefined if it is about the whole file. */
  readonly before?: Position
  /** Position after the rewrite. */
  readonly after?: Position
  readonly message: string
  readonly heading: Heading
}

/** The planned migration of an app. Nothing is written yet. */
export interface Migration {
  /** Number of files that were read. */
  readonly read: number
  readonly changes: readonly ChangedFile[]
  readonly places: readonly Place[]
}

export interface PlanOptions {
  /** Called with the number of files done so far. */
  readonly onProgress?: (done: number, all: number) => void
}

/**
 * Plans the migration of the app in a folder from version 5 to version 6.
 *
 * @throws {Error} from Node, if the folder cannot be read
 */
export async function planMigration(folder: string, { onProgress }: PlanOptions = {}): Promise<Migration> {
  const { sources, manifests, unread } = filesIn(folder)
  const files = linkedFiles(folder, manifests)
  const changes: ChangedFile[] = []
  const places: Place[] = unread.map(({ path, message }) => ({ path, severity: 'error', message, heading: '' }))
  const worked = sources.some(({ text }) => text.includes('@svc/'))
    ? sources.filter(({ text }) => mayConcern(text))
    : []
  const needed = new Map<string, Set<string>>()
  const note = (
    { path, text: before }: SourceFile,
    after: string,
    edits: readonly Edit[],
    remarks: readonly Remark[],
  ) => {
    if (after !== before) changes.push({ path, before, text: after })
    places.push(...remarks.map((each) => placed(path, before, after, edits, each)))
  }
  for (const [at, source] of worked.entries()) {
    const manifest = nearest(manifests, source.path)
    const { names, major } = installedBy(manifest?.text ?? '{}')
    const isVersion5 = major === undefined || major < 6
    const result = migrateFile(join(folder, source.path), source.text, { files, isVersion5, installed: names })
    if (result.fault) {
      const { message, ...position } = result.fault
      places.push({
        path: source.path,
        severity: 'error',
        message,
        before: position,
        after: position,
        heading: '',
      })
    }
    note(source, result.text, result.edits, result.remarks)
    const modules = needed.get(manifest?.path ?? '') ?? new Set()
    needed.set(manifest?.path ?? '', modules)
    for (const [, name] of result.text.matchAll(/['"](@svc\/[\w-]+)/g)) modules.add(name ?? '')
    onProgress?.(at + 1, worked.length)
    // Lets the terminal draw and handle Ctrl-C.
    if (at % 50 === 49) await setImmediate()
  }
  for (const manifest of manifests) {
    const { text, edits, remarks } = migrateManifest(manifest.text, needed.get(manifest.path) ?? new Set())
    note(manifest, text, edits, remarks)
  }
  return { read: sources.length + manifests.length, changes, places: places.filter(isFirst) }
}

export function unifiedDiff({ path, before, text }: ChangedFile): string {
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, before, text, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  })
}

/** Notes about different behaviour concern the whole app and are reported only once, at the first use. */
function isFirst({ severity, message, heading }: Place, at: number, places: readonly Place[]): boolean {
  if (severity !== 'info' || heading === 'input-and-output-of-a-trace') return true
  return places.findIndex((each) => each.message === message) === at
}

function nearest(manifests: readonly SourceFile[], path: string): SourceFile | undefined {
  const around = manifests.filter((each) => dirname(each.path) === '.' || path.startsWith(`${dirname(each.path)}/`))
  return around.reduce<SourceFile | undefined>(
    (best, each) => (best && best.path.length > each.path.length ? best : each),
    undefined,
  )
}

function placed(path: string, before: string, after: string, edits: readonly Edit[], remark: Remark): Place {
  const { severity, start, message, heading } = remark
  const positions = { before: positionIn(before, start), after: positionIn(after, offsetAfter(edits, start)) }
  return { path, severity, message, heading, ...positions }
}

function positionIn(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
