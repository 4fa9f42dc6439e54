import type { ClientRequest, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import { builtin } from './builtin.ts'

/** HTTP whose sockets keep no process alive. */
export interface UnrefHttp {
  /** Opens a request over connections that are used again. */
  open(url: string, options: Omit<RequestOptions, 'agent'>): ClientRequest
  /** Ends the connections. */
  close(): void
}

/** Over `node:http(s)`; undefined where that does not exist. */
export function unrefHttp(): UnrefHttp | undefined {
  const http = builtin('node:http')
  const https = builtin('node:https')
  if (!http || !https) return undefined
  const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) }
  return {
    open(url, options) {
      const request = url.startsWith('https:')
        ? https.request(url, { ...options, agent: agents.https })
        : http.request(url, { ...options, agent: agents.http })
      return request.on('socket', releaseProcess)
    },
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

// Each attempt of connecting to a host with several addresses makes a new handle, which is ref'd again.
function releaseProcess(socket: Socket): void {
  socket.unref()
  if (socket.connecting) socket.on('connectionAttempt', () => socket.unref())
}
