import { log, messageOf } from '@svc/core/log'
import { ownFields } from '@svc/core/own'
import { bodyOf, ERROR_LIMIT } from '@svc/core/read-body'
import { authorization } from '@svc/core/service-headers'
import type { PublicTrace } from './share-trace.ts'

/** Milliseconds the service has to say which project the keys belong to. */
const TIMEOUT = 5_000

const projects = new Map<string, Promise<string | undefined>>()

/** Returns the link of a trace; undefined without keys, or if the service does not name their project. */
export async function traceUrl({ traceId, baseUrl, publicKey, secretKey }: PublicTrace): Promise<string | undefined> {
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
