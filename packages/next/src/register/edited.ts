import { builtin } from '@svc/core/builtin'
import { log } from '@svc/core/log'
import * as SLOTS from '@svc/core/slots'
import { isDeveloping } from '../host.ts'

// On globalThis: bundlers make a copy of this module for each of Next's layers.
const SLOT = Symbol.for(SLOTS.NEXT_EDITED)
const slots = globalThis as unknown as Record<symbol, boolean | undefined>

/** Milliseconds between two looks at the file. Editors put another file in its place, which a cheaper watch would miss. */
const INTERVAL = 1_000

/** In `next dev`: says that edited options need a new start. Next compiles `instrumentation.ts` again, and does not run it. */
export function reportEdits(): void {
  if (slots[SLOT] || !isDeveloping()) return
  slots[SLOT] = true
  const [fs, path] = [builtin('node:fs'), builtin('node:path')]
  if (!fs || !path) return
  const folders = [process.cwd(), path.join(process.cwd(), 'src')]
  const file = folders
    .flatMap((folder) =>
      ['ts', 'js', 'mts', 'mjs', 'tsx', 'jsx'].map((ending) => path.join(folder, `instrumentation.${ending}`)),
    )
    .find((each) => fs.existsSync(each))
  if (file === undefined) return
  fs.watchFile(file, { persistent: false, interval: INTERVAL }, (now, before) => {
    if (now.mtimeMs === before.mtimeMs) return
    log.warn(`${path.basename(file)} was edited, and Next does not run it again: restart "next dev" to apply it.`)
  })
}
