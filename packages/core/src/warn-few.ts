import { ON_SERVER } from '@svc/core/on-server'
import { getGlobalLogger, type Logger, log } from './log.ts'

/** Maximum number of warnings of one kind in a minute. */
const MOST = 20
const MINUTE_MS = 60_000

interface Minute {
  readonly startedAt: number
  count: number
}

/**
 * Logs a warning that a fault in the application may cause with every request: on a server, of those with the same
 * beginning at most 20 in a minute.
 */
export const warnFew = ON_SERVER ? warnAmongFew : log.warn

/** By logger, so that one that was replaced starts anew. */
const minutes = new WeakMap<Logger, Map<string, Minute>>()

function warnAmongFew(message: string): void {
  const kind = kindOf(message)
  const logger = getGlobalLogger()
  const kinds = minutes.get(logger) ?? new Map<string, Minute>()
  minutes.set(logger, kinds)
  const now = performance.now()
  const last = kinds.get(kind)
  const minute = last && now - last.startedAt < MINUTE_MS ? last : { startedAt: now, count: 0 }
  kinds.set(kind, minute)
  minute.count += 1
  if (minute.count <= MOST) logger.warn(message)
}

/** Returns the beginning of a message, up to a quoted value or the key of metadata. */
function kindOf(message: string): string {
  return message.slice(0, 30).replace(/[".].*/s, '')
}
