import { log, messageOf } from '@svc/core/log'
import { ownFields } from '@svc/core/own'
import { bodyOf, ERROR_LIMIT } from '@svc/core/read-body'
import { authorization } from '@svc/core/service-headers'
import { isInactive } from '#implementation'
import { rendersForCache } from '#render'
import { type PublicTrace, shareTrace } from './share-trace.ts'

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

/** Milliseconds the service has to say which project the keys belong to. */
const TIMEOUT = 5_000

const projects = new Map<string, Promise<string | undefined>>()

/** Returns the link of a trace; undefined without keys, or if the service does not name their project. */
async function traceUrl({ traceId, baseUrl, publicKey, secretKey }: PublicTrace): Promise<string | undefined> {
  if (!baseUrl || !publicKey || !secretKey) return undefined
  const id = `${baseUrl} ${publicKey}`
  const project = projects.get(id) ?? projectOf(baseUrl, publicKey, secretKey)
  projects.set(id, project)
  const projectId = await project
  // The next call asks the service again.
  if (projectId === undefined) projects.delete(id)
  return projectId === undefined ? undefined : `${baseUrl}/project/${projectId}/traces/${traceId}`
}

async function projectOf(baseUrl: string, publicKey: string, secretKey: string): Promise<string | undefined> {
  try {
    const headers = authorization(publicKey, secretKey)
    const init = ownFields<RequestInit>({ headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) })
    const answer = await fetch(`${baseUrl}/api/public/projects`, init)
    const text = new TextDecoder().decode(await bodyOf(answer, ERROR_LIMIT))
    const { data } = JSON.parse(text) as { data?: { id?: unknown }[] }
    const id = data?.[0]?.id
    return typeof id === 'string' ? id : undefined
  } catch (error) {
    log.debug(`the project of a shared trace is not known: ${messageOf(error)}`)
    return undefined
  }
}
