import type { Attributes } from '@opentelemetry/api'
import { APP_HEADER } from '@svc/core/attributes/constants'
import { type DeferredAttributes, NONE } from '@svc/core/context'
import { log } from '@svc/core/log'
import { propagatedValues } from '@svc/tracing/adapters'
import { unsealNow } from './unseal-now.ts'

interface NodeRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/**
 * The values that `svcProxy` found for a request, for every span inside it. The header arrives after the proxy has run,
 * on the request that Node announced before.
 */
export class NodeRequestValues implements DeferredAttributes {
  readonly #request: NodeRequest
  #header: unknown
  #known = NONE

  constructor(request: NodeRequest) {
    this.#request = request
  }

  read(): Attributes {
    const header = this.#request.headers[APP_HEADER.IDENTITY]
    if (header !== this.#header) {
      this.#header = header
      const forwarded = typeof header === 'string' ? unsealNow(header) : undefined
      this.#known = forwarded
        ? propagatedValues(forwarded.identity, (name, reason) => log.debug(`${name} of a proxy is dropped: ${reason}`))
        : NONE
    }
    return this.#known
  }

  pending(): undefined {}
}
