import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A source file of the app. */
export interface SourceFile {
  /** Relative to the folder of the app, with forward slashes. */
  readonly path: string
  readonly text: string
}

const MOST_FILES = 3_000
const MOST_BYTES = 262_144
const SOURCE = /\.[cm]?[jt]sx?$/
const LEFT_OUT = /^(node_modules|dist|build|out|coverage|public|vendor|\..*)$/
const TEST = /(\.|-)(test|spec|e2e)\.|\.d\.[cm]?ts$/

/** Returns the source files of an app, top folders first, without dependencies, tests and build output. */
export function sourcesIn(folder: string): SourceFile[] {
  const found: SourceFile[] = []
  const folders = ['']
  for (let at = folders.shift(); at !== undefined && found.length < MOST_FILES; at = folders.shift()) {
    for (const entry of entriesOf(join(folder, at))) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory()) {
        if (!LEFT_OUT.test(entry.name)) folders.push(path)
      } else if (SOURCE.test(entry.name) && !TEST.test(entry.name)) {
        const text = textOf(join(folder, path))
        if (text !== undefined) found.push({ path, text })
      }
    }
  }
  return found
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Returns the text of a file; undefined if it cannot be read or is too large. */
export function textOf(path: string): string | undefined {
  try {
    return statSync(path).size > MOST_BYTES ? undefined : readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
