import { log, messageOf } from '@svc/core/log'

/** URL and keys of the service. The environment provides those that are missing. */
export interface ServiceAccess {
  readonly publicKey?: string | undefined
  readonly secretKey?: string | undefined
  readonly baseUrl?: string | undefined
}

interface Client {
  getTraceUrl(traceId: string): Promise<string>
}

/** Links to traces. `@svc/client` requests the id of the project from the service, once. */
export class TraceLinks {
  readonly #access: ServiceAccess
  #client: Promise<Client> | undefined

  constructor(access: ServiceAccess) {
    this.#access = access
  }

  /** Returns the URL of a trace; undefined if the service cannot be reached. Never rejects. */
  async to(traceId: string): Promise<string | undefined> {
    try {
      const { publicKey, secretKey, baseUrl } = this.#access
      // Here, because webpack bundles an application without the package only if its import is within a `try`.
      this.#client ??= import('@svc/client').then(({ SvcClient }) => new SvcClient({ publicKey, secretKey, baseUrl }))
      return await (await this.#client).getTraceUrl(traceId)
    } catch (error) {
      const reason = isMissing(error) ? 'install @svc/client.' : messageOf(error)
      log.once('warn', `SvcService.traceUrl has no link: ${reason}`)
      return undefined
    }
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
