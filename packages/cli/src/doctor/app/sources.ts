import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFile } from '../../files/source-file.ts'
import { readText } from '../../files/text.ts'

const MOST_FILES = 3_000
const MOST_FOLDERS = 10_000
/** Of all sources together. */
const MOST_TEXT = 67_108_864
const SOURCE = /\.[cm]?[jt]sx?$/
const LEFT_OUT = /^(node_modules|dist|build|out|coverage|public|vendor|\..*)$/
const TEST = /(\.|-)(test|spec|e2e)\.|\.d\.[cm]?ts$/

/** Returns the source files of an app, top folders first, without dependencies, tests and build output. */
export function sourcesIn(folder: string): SourceFile[] {
  const found: SourceFile[] = []
  const folders = ['']
  let length = 0
  for (const at of folders) {
    if (found.length >= MOST_FILES || length > MOST_TEXT) break
    for (const entry of entriesOf(join(folder, at))) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory()) {
        if (!LEFT_OUT.test(entry.name) && folders.length < MOST_FOLDERS) folders.push(path)
      } else if (length <= MOST_TEXT && SOURCE.test(entry.name) && !TEST.test(entry.name)) {
        const text = readText(join(folder, path))
        if (text === undefined) continue
        found.push({ path, text })
        length += text.length
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
