import type { IncomingHttpHeaders } from 'node:http'
import { API, type Exchange } from './http/dispatch.ts'
import { decoded } from './json-text.ts'

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

/** One request at another route of the API, as it was received. */
export interface ReceivedCall {
  readonly method: string
  /** As on the wire: encoded, without the query. */
  readonly path: string
  /** Decoded; a parameter that came several times is a list. */
  readonly query: Readonly<Record<string, string | string[]>>
  readonly headers: IncomingHttpHeaders
  /** Decoded where it is JSON, else the text; undefined when there was none, or more than 1 MiB of it. */
  readonly body: unknown
  /** Status of the answer; 0 when the connection was closed instead. */
  readonly status: number
}

const INTAKE = '/api/public/otel/'
const KEPT = 1_000
const BODY_BYTES = 1024 * 1024
const BODY_BYTES_IN_ALL = 32 * 1024 * 1024

/** A call as it is kept: without what leads to its socket. */
interface KeptCall extends Omit<ReceivedCall, 'query' | 'body'> {
  readonly query: URLSearchParams
  readonly body: Buffer | undefined
}

/** The last requests, accepted and refused. */
export class RequestLog {
  readonly #requests: ReceivedRequest[] = []
  readonly #calls: KeptCall[] = []
  #bytes = 0

  add(exchange: Exchange): void {
    const { path } = exchange.call
    if (path.startsWith(INTAKE)) this.#addRequest(exchange)
    else if (path.startsWith(API)) this.#addCall(exchange)
  }

  requests(): ReceivedRequest[] {
    return [...this.#requests]
  }

  calls(): ReceivedCall[] {
    return this.#calls.map(({ query, body, ...call }) => ({
      ...call,
      query: Object.fromEntries([...new Set(query.keys())].map((name) => [name, oneOrAll(query.getAll(name))])),
      body: body === undefined || body.length === 0 ? undefined : decoded(body.toString('utf8')),
    }))
  }

  #addRequest({ call: { method, path, headers }, bytes, status }: Exchange): void {
    this.#requests.push({
      method,
      path,
      headers,
      contentType: headers['content-type'],
      contentEncoding: headers['content-encoding'],
      decodedBytes: bytes,
      status,
    })
    if (this.#requests.length > KEPT) this.#requests.shift()
  }

  #addCall({ call: { method, path, query, headers }, body, bytes, status }: Exchange): void {
    const kept = bytes <= BODY_BYTES ? body : undefined
    this.#calls.push({ method, path, query, headers, body: kept, status })
    this.#bytes += kept?.length ?? 0
    while (this.#calls.length > KEPT || this.#bytes > BODY_BYTES_IN_ALL) {
      this.#bytes -= this.#calls.shift()?.body?.length ?? 0
    }
  }
}

const oneOrAll = (values: string[]): string | string[] => (values.length === 1 ? (values[0] ?? '') : values)
