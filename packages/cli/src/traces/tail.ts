import { setTimeout } from 'node:timers/promises'
import { ANSWERS } from '@svc/local/questions'
import type { RunCommand } from '../command.ts'
import { ownFlags, print, rejectMisuse } from './command.ts'
import type { PlaceFlags } from './place.ts'
import { withReader } from './read.ts'

const EVERY_MS = 2_000
/** A trace that started longer ago is not new when its root arrives. */
const BACK = '1h'
const AT_ONCE = 100

/** `svc traces tail`: prints each trace whose root arrives, until it is interrupted. */
export const run: RunCommand = async (_, flags) => {
  const params = {
    limit: AT_ONCE,
    ...ownFlags('list', flags),
    since: flags.since === undefined ? BACK : String(flags.since),
  }
  await withReader(flags as PlaceFlags, async (reader) => {
    const seen = new Set<unknown>()
    for (let first = flags.since === undefined; !process.stdout.destroyed; first = false) {
      const { rows, more } = await ANSWERS.list(reader, params).catch(rejectMisuse)
      const fresh = rows.filter(({ data }) => !seen.has(data?.traceId)).reverse()
      for (const { data } of fresh) seen.add(data?.traceId)
      const isMissing = !first && more !== undefined && fresh.length === rows.length
      const title = `${fresh.length} new`
      if (!first && fresh.length > 0) print('list', { title, rows: fresh, ...(isMissing && { more }) }, params, flags)
      await setTimeout(EVERY_MS)
    }
  })
  return 0
}
