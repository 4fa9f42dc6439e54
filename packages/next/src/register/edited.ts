import { log } from '@svc/core/log'
import { isDeveloping } from '../host.ts'

// On globalThis: bundlers make a copy of this module for each of Next's layers.
const SLOT = Symbol.for('svc.next-edited.6')
const slots = globalThis as unknown as Record<symbol, boolean | undefined>

/** Milliseconds between two looks at the file. Editors put another file in its place, which a cheaper watch would miss. */
const INTERVAL = 1_000

/** In `next dev`: says that edited options need a new start. Next compiles `instrumentation.ts` again, and does not run it. */
export function reportEdits(): void {
  if (slots[SLOT] || !isDeveloping()) return
  slots[SLOT] = true
  const { existsSync, watchFile } = process.getBuiltinModule('node:fs')
  const { join, basename } = process.getBuiltinModule('node:path')
  const folders = [process.cwd(), join(process.cwd(), 'src')]
  const file = folders
    .flatMap((folder) =>
      ['ts', 'js', 'mts', 'mjs', 'tsx', 'jsx'].map((ending) => join(folder, `instrumentation.${ending}`)),
    )
    .find((path) => existsSync(path))
  if (file === undefined) return
  watchFile(file, { persistent: false, interval: INTERVAL }, (now, before) => {
    if (now.mtimeMs === before.mtimeMs) return
    log.warn(`${basename(file)} was edited, and Next does not run it again: start "next dev" anew to apply it.`)
  })
}
