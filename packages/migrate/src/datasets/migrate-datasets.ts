import { hostEnvironment } from '@svc/core/environment'
import { foreignText } from '@svc/core/foreign-text'
import { readSettings } from '@svc/core/setting'
import { migrateSettings } from '@svc/core/settings'
import { DatasetImport } from './dataset-import.ts'
import type { ImportContext } from './import-context.ts'
import { Journal } from './journal.ts'
import { type MapRow, mapped, readMapping } from './mapping.ts'
import { Obstacle } from './obstacle.ts'
import { leftBehindOf, reportOf } from './report.ts'
import { Source, type SourceDataset } from './source.ts'
import { Target } from './target.ts'

/** Options of `svc migrate datasets`. */
export interface DatasetsOptions {
  /** URL of the source platform's API, with its region. */
  readonly from: URL
  /** Datasets to import, with their ids and new names; undefined for all. */
  readonly datasets: readonly SourceDataset[] | undefined
  /** File with a custom mapping. */
  readonly map: string | undefined
  /** Print some mapped items, and write nothing. */
  readonly dryRun: boolean
  /** Ignore the progress of earlier runs. */
  readonly restart: boolean
  /** Items written at the same time. */
  readonly concurrency: number
}

const PREVIEWED = 3
/** The exit code of a process that is ended by Ctrl-C. */
const INTERRUPTED = 130

/**
 * Imports datasets of a source platform (key: `SOURCE_API_KEY`) into the service (`SVC_BASE_URL` and its keys). The
 * whole source is read before the first item is written. An interrupted import continues where it stopped.
 *
 * @returns the exit code: 0 if all counts match, 1 after an error, 130 if it was interrupted
 */
export async function migrateDatasets(options: DatasetsOptions, context: ImportContext): Promise<number> {
  try {
    return await moved(options, context)
  } catch (error) {
    if (context.signal.aborted) {
      context.terminal.write('svc: stopped. Written items are kept; run the same command again to continue.\n')
      return INTERRUPTED
    }
    if (!(error instanceof Obstacle)) throw error
    context.terminal.write(`svc: ${error.message}\n`)
    return 1
  }
}

async function moved(options: DatasetsOptions, context: ImportContext): Promise<number> {
  const { from, map, dryRun, restart, concurrency } = options
  const own = map === undefined ? undefined : await readMapping(map)
  const source = new Source({ base: from, key: sourceKey(), signal: context.signal })
  const datasets = distinct(options.datasets ?? (await source.datasets()))
  if (dryRun) return preview(datasets, { source, own }, context)
  const target = new Target(context.signal)
  await target.check()
  const imports = datasets.map(({ id, name }) => {
    const journal = new Journal(context.folder, [from.href, id, target.identity, name], { restart })
    return new DatasetImport({ id, name, source, target, own, journal, concurrency, context })
  })
  for (const each of imports) await each.survey()
  let failed = false
  const all = []
  for (const each of imports) {
    const imported = await each.copy()
    const { lines, matches } = reportOf(imported)
    for (const line of lines) context.print(line)
    all.push(imported)
    failed ||= !matches
  }
  for (const line of leftBehindOf(all)) context.print(line)
  return failed ? 1 : 0
}

function sourceKey(): string {
  const complaints: string[] = []
  const { sourceApiKey } = readSettings(migrateSettings, {}, hostEnvironment, (line) => complaints.push(line))
  if (sourceApiKey !== undefined) return sourceApiKey
  throw new Obstacle(complaints[0] ?? 'SOURCE_API_KEY is not set: set it to the key of the source platform.')
}

function distinct(datasets: readonly SourceDataset[]): readonly SourceDataset[] {
  if (datasets.length === 0) throw new Obstacle('the source lists no datasets for this key. Check SOURCE_API_KEY.')
  const names = new Set<string>()
  for (const { name } of datasets) {
    if (names.has(name))
      throw new Obstacle(`two datasets would have the name "${foreignText(name, 80)}". Set their names with --as.`)
    names.add(name)
  }
  return datasets
}

async function preview(
  datasets: readonly SourceDataset[],
  { source, own }: { readonly source: Source; readonly own: MapRow | undefined },
  { print }: ImportContext,
): Promise<number> {
  for (const { id, name } of datasets) {
    for await (const { rows, next } of source.rows(id)) {
      const shown = await Promise.all(rows.slice(0, PREVIEWED).map((row) => mapped(row, id, own)))
      const amount = next === undefined ? rows.length : `more than ${rows.length}`
      print(`${foreignText(name, 80)}: ${amount} ${amount === 1 ? 'row' : 'rows'}, the first of them:`)
      for (const { item } of shown) print(item ? JSON.stringify(item, undefined, 2) : 'left out by the mapping')
      break
    }
  }
  print('Nothing was written.')
  return 0
}
