import { isInactive } from '#implementation'
import { rendersForCache } from '#render'
import { shareTrace } from './share-trace.ts'
import { traceUrl } from './trace-url.ts'

/** A trace that everyone with the link may see. */
export interface SharedTrace {
  readonly traceId: string
  /** The link; undefined when the service did not name its project. */
  readonly url: string | undefined
}

/**
 * Makes the active trace public and gives its link. That cannot be taken back in code, so it is never passed on to
 * other traces. The link needs the keys in the environment. Never throws.
 *
 * @returns undefined where nothing is traced
 */
export async function svcShare(): Promise<SharedTrace | undefined> {
  // Nothing is observed in a build or a render for the cache, as it should be.
  const trace = isInactive() || rendersForCache() ? undefined : shareTrace()
  return trace && { traceId: trace.traceId, url: await traceUrl(trace) }
}
