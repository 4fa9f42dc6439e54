import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The longest that a request in flight keeps a closing server open, in milliseconds. */
const CLOSE_GRACE = 1_000
/** An idle connection is closed after it, in milliseconds. */
const KEEP_ALIVE = 65_000

/** Starts to listen; resolves with the server and the port it got. Rejects with the system's error (`EADDRINUSE`, …). */
export async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  { host, port }: { host: string; port: number },
): Promise<{ server: Server; port: number }> {
  const server = createServer(handle)
  // Exporters send every 5 s, which is Node's default: the connection would be closed just as it is used again.
  server.keepAliveTimeout = KEEP_ALIVE
  server.listen(port, host)
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

/** Stops listening and lets requests in flight finish, for a moment. */
export async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE)
  timer.unref()
  await closed
  clearTimeout(timer)
}
