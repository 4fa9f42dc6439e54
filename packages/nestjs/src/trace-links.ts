import { log, messageOf } from '@svc/core/log'

/** Where the service is and how it is asked. What is left out comes from the environment. */
export interface Access {
  readonly publicKey?: string | undefined
  readonly secretKey?: string | undefined
  readonly baseUrl?: string | undefined
}

interface Client {
  getTraceUrl(traceId: string): Promise<string>
}

/** Links to traces. Which project they are in only the service knows, and it is asked once, by `@svc/client`. */
export class TraceLinks {
  readonly #access: Access
  #client: Promise<Client> | undefined

  constructor(access: Access) {
    this.#access = access
  }

  /** Where a trace is shown; undefined when the service cannot be asked. Never rejects. */
  async to(traceId: string): Promise<string | undefined> {
    try {
      this.#client ??= load(this.#access)
      return await (await this.#client).getTraceUrl(traceId)
    } catch (error) {
      const reason = isMissing(error) ? 'install @svc/client.' : messageOf(error)
      log.once('warn', `SvcService.traceUrl has no link, because the service cannot be asked: ${reason}`)
      return undefined
    }
  }
}

async function load({ publicKey, secretKey, baseUrl }: Access): Promise<Client> {
  const { SvcClient } = await import('@svc/client')
  return new SvcClient({ publicKey, secretKey, baseUrl })
}

function isMissing(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
