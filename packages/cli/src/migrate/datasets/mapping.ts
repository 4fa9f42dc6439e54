import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { foreignText } from '@svc/core/foreign-text'
import { messageOf } from '@svc/core/log'
import { Failure } from '../../failure.ts'
import { type DatasetRow, idOf, leftBehind, type MappedItem, mapRow } from './row.ts'

/** The default export of a `--map` file: returns the item of a row, or nothing to skip the row. */
export type MapRow = (row: DatasetRow) => MappedItem | null | undefined | PromiseLike<MappedItem | null | undefined>

/** A mapped row: its item, if it has one, and what is not copied. */
export interface Mapped {
  readonly item: (MappedItem & { readonly id: string }) | undefined
  /** Whether the row has no id, so that the item's is a hash of its content. */
  readonly madeId: boolean
  readonly times: boolean
  readonly annotations: boolean
}

const FIELDS = new Set(['id', 'input', 'expectedOutput', 'metadata'])

/**
 * Maps a row of a dataset.
 *
 * @param own custom mapping in place of the default one
 * @throws {Failure} (as a rejection) if the custom mapping fails or returns an invalid item
 */
export async function mapped(row: DatasetRow, datasetId: string, own: MapRow | undefined): Promise<Mapped> {
  const { id, made } = idOf(row, datasetId)
  if (!own) return { item: { ...mapRow(row), id }, madeId: made, ...leftBehind(row) }
  const item = await itemOf(own, row, id)
  if (!item) return { item: undefined, madeId: false, ...NOTHING }
  return { item: { ...item, id: item.id ?? id }, madeId: made && item.id === undefined, ...NOTHING }
}

// A custom mapping may put them anywhere.
const NOTHING = { times: false, annotations: false }

async function itemOf(own: MapRow, row: DatasetRow, id: string): Promise<MappedItem | undefined> {
  const item = await Promise.resolve()
    .then(() => own(row))
    .catch((error: unknown) => {
      throw new Failure(
        `the mapping of --map fails for row "${foreignText(id, 80)}": ${foreignText(messageOf(error), 300)}`,
      )
    })
  if (item === undefined || item === null) return undefined
  const wrong = faultOf(item)
  if (wrong) throw new Failure(`the mapping of --map returns ${wrong} for row "${foreignText(id, 80)}".`)
  return item
}

function faultOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || Array.isArray(item)) return 'something other than an object'
  const { id, metadata } = item as MappedItem
  const unknown = Object.keys(item as object).find((field) => !FIELDS.has(field))
  if (unknown !== undefined)
    return `the field "${foreignText(unknown, 80)}", where an item has ${[...FIELDS].join(', ')},`
  if (id !== undefined && (typeof id !== 'string' || id === '')) return 'an id that is not a string'
  if (metadata !== undefined && (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)))
    return 'metadata that is not an object'
  return undefined
}

/** Loads a mapping. @throws {Failure} if the file is missing, cannot be loaded by this Node, or exports no function */
export async function readMapping(file: string): Promise<MapRow> {
  const path = resolve(file)
  if (!existsSync(path)) throw new Failure(`the file ${file} does not exist. Check --map.`)
  let module: { default?: unknown }
  try {
    module = await import(pathToFileURL(path).href)
  } catch (error) {
    throw new Failure(`--map ${file} cannot be read: ${whyUnreadable(error, path)}`)
  }
  if (typeof module.default !== 'function')
    throw new Failure(`--map ${file} has no function as its default export: export default (row) => ({ input: row.x })`)
  return module.default as MapRow
}

function whyUnreadable(error: unknown, path: string): string {
  if ((error as { code?: unknown }).code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts$/.test(path))
    return `Node ${process.version} does not load TypeScript. Use Node 22.18 or later, or write it in JavaScript (.mjs).`
  const line = error instanceof SyntaxError ? lineOf(error, path) : undefined
  return foreignText(messageOf(error), 300) + (line ? ` (line ${line})` : '')
}

/** Returns the line of a syntax error: it is above the stack; for JavaScript only in the output of `node --check`. */
function lineOf({ stack = '' }: SyntaxError, path: string): string | undefined {
  const place = /^.*:(\d+)\n/
  const [, line] =
    place.exec(stack) ?? place.exec(spawnSync(process.execPath, ['--check', path]).stderr.toString()) ?? []
  return line
}
