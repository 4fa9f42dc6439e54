import type { IncomingHttpHeaders } from 'node:http'

export interface ModelRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The parsed JSON body; undefined where there was none. */
  body: Record<string, unknown> | undefined
}

export interface ModelServer {
  /** `http://127.0.0.1:<port>`, without `/v1`. */
  url: string
  /** Closes the server and every open connection. */
  close(): Promise<void>
  /** The last 1,000 requests, oldest first. */
  requests(): ModelRequest[]
}

export interface ModelServerOptions {
  /** Default: a free one. */
  port?: number
  /**
   * What is waited for before each chunk of a stream but the first: milliseconds, or a function of the chunk's number,
   * whose result is awaited. Default: nothing.
   */
  pause?: number | ((chunk: number) => unknown)
}

/** Starts a model server on loopback. */
export function startModelServer(options?: ModelServerOptions): Promise<ModelServer>
