import { builtin } from '@svc/core/builtin'
import { messageOf, warnOnce } from '@svc/core/log'
import type { start as Start } from '@svc/register/start'

/**
 * Returns the function that starts a pipeline, from `@svc/register`. It is looked up when it is needed, and out of
 * sight of bundlers: it hooks modules, so it has to run as it was published.
 */
export function loadStart(): typeof Start | undefined {
  const { createRequire } = builtin('node:module') ?? {}
  const places = [import.meta.url, `${process.cwd()}/package.json`, process.argv[1]]
  let reason: unknown
  for (const place of places) {
    if (!place || !createRequire) continue
    try {
      const here = createRequire(place)
      const own = createRequire(here.resolve('@svc/next/package.json'))
      return (own('@svc/register/start') as { start: typeof Start }).start
    } catch (error) {
      reason = error
    }
  }
  warnOnce(
    `@svc/register cannot be loaded, so nothing is traced. Wrap the options in next.config with withSvcConfig, which ` +
      `adds it to a standalone build: ${messageOf(reason)}`,
  )
  return undefined
}
