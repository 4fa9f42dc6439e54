import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where AWS Lambda looks for the handler of a function. */
export interface HandlerPlace {
  /** The files that it may be in, those that exist. */
  readonly urls: ReadonlySet<string>
  readonly name: string
  /** The fields that lead from the export to the handler; mostly none. */
  readonly fields: readonly string[]
}

/** As the runtime interface client tries them. */
const ENDINGS = ['', '.js', '.mjs', '.cjs']

/**
 * Returns the place of a handler.
 *
 * @param handler as in `_HANDLER`: `src/index.handler`
 * @param folders that the path may be relative to
 * @returns undefined if it is not the name of a handler
 */
export function placeOf(handler: string, folders: readonly string[]): HandlerPlace | undefined {
  const file = basename(handler)
  const dot = file.indexOf('.')
  const [name = '', ...fields] = file.slice(dot + 1).split('.')
  if (dot < 0 || name === '') return undefined
  const path = join(dirname(handler), file.slice(0, dot))
  const found = folders.flatMap((folder) => ENDINGS.flatMap((ending) => urlOf(resolve(folder, path + ending)) ?? []))
  return { urls: new Set(found), name, fields }
}

/** Node loads a file under the name that links lead to. */
function urlOf(path: string): string | undefined {
  try {
    return pathToFileURL(realpathSync(path)).href
  } catch {
    return undefined
  }
}
