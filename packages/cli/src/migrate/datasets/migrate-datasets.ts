import { hostEnvironment } from '@svc/core/environment'
import { foreignText } from '@svc/core/foreign-text'
import { readSettings } from '@svc/core/setting'
import { migrateSettings } from '@svc/core/settings'
import { Failure } from '../../failure.ts'
import { write } from '../../output.ts'
import { DatasetImport } from './dataset-import.ts'
import { Journal } from './journal.ts'
import { type MapRow, mapped, readMapping } from './mapping.ts'
import { leftBehindOf, reportOf } from './report.ts'
import { Source, type SourceDataset } from './source.ts'
import { TargetProject } from './target.ts'

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

/** Folder of the progress files. */
const FOLDER = '.svc-migrate'
const PREVIEWED = 3

/**
 * Imports datasets of a source platform (key: `SOURCE_API_KEY`) into the service (`SVC_BASE_URL` and its keys). The
 * whole source is read before the first item is written. An interrupted import continues where it stopped.
 *
 * @param signal stops the import; the items written so far are recorded
 * @returns whether all counts match
 * @throws {Failure}, or the reason of the signal
 */
export async function migrateDatasets(options: DatasetsOptions, signal: AbortSignal): Promise<boolean> {
  const { from, map, dryRun, restart, concurrency } = options
  const own = map === undefined ? undefined : await readMapping(map)
  const source = new Source({ base: from, key: sourceKey(), signal })
  const datasets = distinct(options.datasets ?? (await source.datasets()))
  if (dryRun) return preview(datasets, { source, own })
  const target = new TargetProject(signal)
  await target.check()
  const imports = datasets.map(({ id, name }) => {
    const journal = new Journal(FOLDER, [from.href, id, target.identity, name], { restart })
    return new DatasetImport({ id, name, source, target, own, journal, concurrency, signal })
  })
  for (const each of imports) await each.survey()
  let isWhole = true
  const all = []
  for (const each of imports) {
    const imported = await each.copy()
    const { lines, matches } = reportOf(imported)
    for (const line of lines) print(line)
    all.push(imported)
    isWhole &&= matches
  }
  for (const line of leftBehindOf(all)) print(line)
  return isWhole
}

function sourceKey(): string {
  const complaints: string[] = []
  const { sourceApiKey } = readSettings(migrateSettings, {}, hostEnvironment, (line) => complaints.push(line))
  if (sourceApiKey !== undefined) return sourceApiKey
  throw new Failure(complaints[0] ?? 'SOURCE_API_KEY is not set: set it to the key of the source platform.')
}

function distinct(datasets: readonly SourceDataset[]): readonly SourceDataset[] {
  if (datasets.length === 0) throw new Failure('the source lists no datasets for this key. Check SOURCE_API_KEY.')
  const names = new Set<string>()
  for (const { name } of datasets) {
    if (names.has(name))
      throw new Failure(`two datasets would have the name "${foreignText(name, 80)}". Set their names with --as.`)
    names.add(name)
  }
  return datasets
}

async function preview(
  datasets: readonly SourceDataset[],
  { source, own }: { readonly source: Source; readonly own: MapRow | undefined },
): Promise<boolean> {
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
  return true
}

const print = (line: string): void => write(process.stdout, `${line}\n`)
