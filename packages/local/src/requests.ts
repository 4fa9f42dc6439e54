import type { IncomingHttpHeaders } from 'node:http'
import type { Exchange } from './http/dispatch.ts'

/** One request at the OTLP intake, as it was received. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  /** Bytes of the body after decompression; 0 when the request was turned down before its body was read. */
  readonly decodedBytes: number
  /** Status of the answer. */
  readonly status: number
}

const INTAKE = '/api/public/otel/'
const KEPT = 1_000

/** The last requests at the intake, accepted and refused. */
export class RequestLog {
  #requests: ReceivedRequest[] = []

  /** @returns whether the exchange was at the intake. */
  add({ call, status, decodedBytes }: Exchange): boolean {
    const { method, path, headers } = call
    if (!path.startsWith(INTAKE)) return false
    this.#requests.push({
      method,
      path,
      headers,
      contentType: headers['content-type'],
      contentEncoding: headers['content-encoding'],
      decodedBytes,
      status,
    })
    if (this.#requests.length > KEPT) this.#requests.shift()
    return true
  }

  all(): ReceivedRequest[] {
    return [...this.#requests]
  }
}
