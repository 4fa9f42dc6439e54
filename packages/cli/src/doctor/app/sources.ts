import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A file that the app is written in. */
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

/** The sources of an app, those at the top first: dependencies, tests, and what was built are left out. */
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

/** The text of a file that is not too large; undefined where it cannot be read. */
export function textOf(path: string): string | undefined {
  try {
    return statSync(path).size > MOST_BYTES ? undefined : readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
