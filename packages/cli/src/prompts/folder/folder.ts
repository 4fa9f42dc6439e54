import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { foreignText } from '@svc/core/foreign-text'
import { Failure } from '../../failure.ts'
import { SVC } from '../../own-command.ts'
import { isPromptFile, parsePrompt } from '../file/prompt-file.ts'
import type { ReadFile } from '../file/read-file.ts'
import { Mistake } from '../mistake.ts'

export interface FilePrompt extends ReadFile {
  /** Path in the folder, with `/`. */
  readonly path: string
}

/** A folder of prompt files. */
export interface Folder {
  readonly dir: string
  /** Files by prompt name. */
  readonly files: ReadonlyMap<string, FilePrompt>
  /** Errors of invalid files, by path. */
  readonly mistakes: ReadonlyMap<string, Failure>
}

const MOST_BYTES = 4_194_304
const START = { line: 1, column: 1 }

/** Reads all prompts below `dir`; undefined if it does not exist. */
export function readFolder(dir: string): Folder | undefined {
  const paths = promptPaths(dir)
  if (!paths) return undefined
  const files = new Map<string, FilePrompt>()
  const mistakes = new Map<string, Failure>()
  for (const path of paths) {
    const shown = shownPath(dir, path)
    try {
      if (statSync(join(dir, path)).size > MOST_BYTES) throw new Mistake(shown, START, 'it is larger than 4 MB')
      const file = { ...parsePrompt(readFileSync(join(dir, path)), shown), path }
      const other = files.get(file.prompt.name)
      if (other) throw twoOfOneName(file.prompt.name, shownPath(dir, other.path), shown)
      files.set(file.prompt.name, file)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      mistakes.set(path, error)
    }
  }
  return { dir, files, mistakes }
}

/** Reads all prompts below `dir`. @throws {Failure} if it does not exist, or with all errors in its files */
export function readWholeFolder(dir: string): Folder {
  const folder = readFolder(dir)
  if (!folder)
    throw new Failure(`the folder ${dir} does not exist: ${SVC} prompts pull creates it, --dir sets another one`)
  if (folder.mistakes.size > 0) throw new Failure(...[...folder.mistakes.values()].flatMap(({ lines }) => lines))
  return folder
}

/** Returns the files of the prompts with these names; without names, all. @throws {Failure} for a name without a file */
export function filesNamed(names: readonly string[], { dir, files }: Folder): FilePrompt[] {
  const missing = names
    .filter((name) => !files.has(name))
    .map((name) => `no file in ${dir} has the name ${JSON.stringify(name)}`)
  if (missing.length > 0) throw new Failure(...missing)
  return [...files.values()].filter(({ prompt }) => names.length === 0 || names.includes(prompt.name))
}

/** Returns a path in the folder for messages. */
export const shownPath = (dir: string, path: string): string =>
  foreignText(join(dir, path).split(sep).join('/'), Number.POSITIVE_INFINITY)

function twoOfOneName(name: string, one: string, other: string): Failure {
  return new Failure(`${one} and ${other} both have the name ${JSON.stringify(name)}: rename one of them`)
}

function promptPaths(dir: string): string[] | undefined {
  try {
    return [...pathsBelow(dir, '')].filter((path) => isPromptFile(path)).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Yields the files that are not hidden. Links are not followed, as `readdirSync` does with `recursive`. */
function* pathsBelow(dir: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(dir, folder), { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) yield* pathsBelow(dir, `${folder}${entry.name}/`)
    else if (entry.isFile()) yield folder + entry.name
  }
}
