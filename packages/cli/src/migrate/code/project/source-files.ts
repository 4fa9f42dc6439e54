import { join } from 'node:path'
import type { SourceFile } from '../../../files/source-file.ts'
import { readSource } from '../../../files/text.ts'
import { pathsIn, type UnreadPath } from '../../../files/walk.ts'

export interface Found {
  readonly sources: readonly SourceFile[]
  readonly manifests: readonly SourceFile[]
  readonly unread: readonly UnreadPath[]
}

const SOURCE = /(?<!\.min)\.[cm]?[jt]sx?$/
/** Characters of all files together: what is read stays in memory. */
const MOST_TEXT = 536_870_912
/** Languages with embedded code, which is not parsed. */
const EMBEDDED = /\.(vue|svelte|astro|mdx)$/

/**
 * Reads the sources and package.json files of an app, without dependencies, build output, ignored files and symbolic
 * links.
 */
export function filesIn(folder: string): Found {
  const sources: SourceFile[] = []
  const manifests: SourceFile[] = []
  const unread: UnreadPath[] = []
  let length = 0
  for (const path of pathsIn(folder, { unread })) {
    const isManifest = /(^|\/)package\.json$/.test(path)
    if (!isManifest && !SOURCE.test(path) && !EMBEDDED.test(path)) continue
    if (length > MOST_TEXT) {
      unread.push({ path, message: 'and what follows is not read: migrate a folder below this one' })
      break
    }
    const content = readSource(join(folder, path))
    length += content.text?.length ?? 0
    if (content.text === undefined) {
      if (content.message) unread.push({ path, message: content.message })
    } else if (EMBEDDED.test(path)) {
      if (content.text.includes('@svc/'))
        unread.push({ path, message: 'is in a language that is not supported: check it by hand' })
    } else (isManifest ? manifests : sources).push({ path, text: content.text })
  }
  return { sources, manifests, unread }
}
