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

/** Starts a model server on loopback. `port` defaults to a free one. */
export function startModelServer(options?: { port?: number }): Promise<ModelServer>
