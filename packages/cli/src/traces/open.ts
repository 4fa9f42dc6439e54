import { createApi } from '@svc/client/api'
import { DEFAULT_KEYS, DEFAULT_PORT } from '@svc/local/address'
import { Failure } from '../failure.ts'
import { SVC } from '../own-command.ts'
import { type ConnectedApi, connectApi } from '../service/connect.ts'
import { explained } from '../service/explain.ts'
import { opened, type PlaceFlags } from './place.ts'

/**
 * Lets `act` use the API of the project of the keys, of a running `svc local`, or of its database file. Where no key is
 * set, that is the running `svc local`. Errors of the service become a Failure. @throws {Failure}
 */
export async function withApi<Result>(
  { db, local, yes }: PlaceFlags,
  act: (connected: ConnectedApi) => Promise<Result>,
): Promise<Result> {
  if (db !== undefined) return withFile(db, act)
  const isLocal = local !== undefined && local !== false
  const connected = isLocal ? await localApi(local) : await connectApi({ yes }, () => localApi(true))
  return told(connected, act)
}

async function told<Result>(connected: ConnectedApi, act: (connected: ConnectedApi) => Promise<Result>) {
  try {
    return await act(connected)
  } catch (error) {
    throw isFailureOfOurs(error) ? error : explained(error, connected.address, 'trace')
  }
}

/** Not of the service: what was asked makes no sense, or the disk is full. */
const isFailureOfOurs = (error: unknown): boolean =>
  error instanceof Failure || (error instanceof Error && (error.name === 'QuestionError' || 'syscall' in error))

/** A service in this process that reads the file, and ends with the command. */
async function withFile<Result>(db: string, act: (connected: ConnectedApi) => Promise<Result>): Promise<Result> {
  const service = await opened(db, async () => (await import('@svc/local')).startLocal({ db }))
  try {
    return await told(apiOf(service), act)
  } finally {
    await service.close()
  }
}

async function localApi(local: string | true): Promise<ConnectedApi> {
  const url = local === true ? `http://127.0.0.1:${DEFAULT_PORT}` : local
  if (!URL.canParse(url)) throw new Failure(`--local ${url}: expected a URL such as http://127.0.0.1:${DEFAULT_PORT}`)
  const reached = await fetch(new URL('/api/public/health', url)).catch(() => undefined)
  if (!reached?.ok) {
    throw new Failure(
      `no svc local answers at ${url}: start it with npx @svc/local, or set SVC_PUBLIC_KEY and SVC_SECRET_KEY for the service`,
      `${SVC} doctor says why no traces arrive`,
    )
  }
  return apiOf({ url, ...DEFAULT_KEYS })
}

function apiOf({ url, publicKey, secretKey }: { url: string; publicKey: string; secretKey: string }): ConnectedApi {
  return { api: createApi({ baseUrl: url, publicKey, secretKey }), address: { baseUrl: url, publicKey } }
}
