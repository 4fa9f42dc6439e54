import type { Agent, ClientRequest, RequestOptions } from 'node:http'
import type { AgentOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import { builtin, hasBuiltin } from './builtin.ts'
import { ownFields } from './own.ts'
import { authorityOf, proxyAuthorization, proxyFor } from './proxy.ts'
import { after } from './timers.ts'
import { type Transport, tlsFor } from './transport.ts'

/** The certificates that are trusted for every host, where the thread itself does not know. */
export type TlsTrust = Pick<ConnectionOptions, 'ca' | 'minVersion' | 'rejectUnauthorized'>

/** HTTP whose sockets do not keep the process alive. */
export interface NodeHttp {
  /** Opens a request over keep-alive connections, through the proxy if there is one. */
  open(url: string, options: Omit<RequestOptions, 'agent'>): ClientRequest
  /** Closes the connections. */
  close(): void
}

/** Time-out for opening a tunnel through a proxy, in milliseconds. */
const TUNNEL_LIMIT_MS = 10_000

/**
 * Returns HTTP over `node:http(s)`, which is loaded for the first request; undefined if the runtime does not have it.
 */
export function nodeHttp(transport: Transport, trust: TlsTrust = {}): NodeHttp | undefined {
  if (!hasBuiltin('node:http') || !hasBuiltin('node:https')) return undefined
  const agents: Agents = {}
  const tunnels = new Map<string, Agent>()

  function tunnelBy(proxy: URL): Agent {
    const known = tunnels.get(proxy.href) ?? tunnelAgent(proxy, trust)
    tunnels.set(proxy.href, known)
    return known
  }

  function start(url: string, options: RequestOptions): ClientRequest {
    const address = new URL(url)
    const proxy = proxyFor(address, transport.proxy)
    if (address.protocol === 'https:') {
      const agent = proxy ? tunnelBy(proxy) : agentFor(address, agents)
      const route = { ...trust, ...tlsFor(address, transport), authority: authorityOf(address), agent }
      return request({ ...addressOf(address), ...options, ...route })
    }
    if (!proxy) return request({ ...addressOf(address), ...options, agent: agentFor(address, agents) })
    return request({
      ...addressOf(proxy),
      ...options,
      ...trust,
      ...serverNameOf(proxy),
      // A proxy needs the absolute URL.
      path: address.href,
      headers: { ...(options.headers as object), host: address.host, ...authorizationOf(proxy) },
      agent: agentFor(proxy, agents),
    })
  }

  return {
    open: (url, options) => start(url, options).on('socket', releaseProcess),
    close() {
      for (const agent of [agents.http, agents.https, ...tunnels.values()]) agent?.destroy()
    },
  }
}

/** Not by the function of that name, which instrumentations replace: they would count ours among the application's. */
function request(options: RequestOptions): ClientRequest {
  const { ClientRequest } = builtin('node:http') as typeof import('node:http')
  return new ClientRequest(options)
}

/** Keep-alive agents, each created for the first request that needs it. */
interface Agents {
  http?: Agent
  https?: Agent
}

function agentFor({ protocol }: URL, agents: Agents): Agent {
  const kind = protocol === 'https:' ? 'https' : 'http'
  const { Agent } = builtin(`node:${kind}`) as typeof import('node:http')
  agents[kind] ??= new Agent({ keepAlive: true })
  return agents[kind]
}

interface TunnelOptions extends Omit<ConnectionOptions & AgentOptions, 'authority'> {
  /** Host and port of the tunnel's target. */
  readonly authority: string
}

/**
 * Returns an agent whose connections are tunnels through a proxy. Node's own (`proxyEnv`) and those on npm keep the
 * process alive until the proxy responds, and a proxy that hangs never does.
 */
function tunnelAgent(proxy: URL, trust: TlsTrust): Agent {
  const https = builtin('node:https') as typeof import('node:https')
  const agent = new https.Agent({ keepAlive: true }) as Agent & { createConnection: typeof open }
  function open({ authority, ...options }: TunnelOptions, done: (error: Error | null, socket?: Duplex) => void) {
    const opening = request({
      ...addressOf(proxy),
      ...trust,
      ...serverNameOf(proxy),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorizationOf(proxy) },
      agent: agentFor(proxy, {}),
    })
    const timer = after(TUNNEL_LIMIT_MS, () => opening.destroy(new Error(`the proxy ${proxy.host} opened no tunnel`)))
    opening.on('socket', releaseProcess)
    opening.once('close', () => clearTimeout(timer))
    opening.once('error', done)
    opening.once('connect', ({ statusCode = 0 }, socket) => {
      clearTimeout(timer)
      try {
        if (statusCode < 200 || statusCode > 299) throw new Error(`the proxy ${proxy.host} answered ${statusCode}`)
        const { connect } = builtin('node:tls') as typeof import('node:tls')
        // Throws for an invalid client certificate.
        done(null, connect(ownFields({ ...options, socket })))
      } catch (error) {
        socket.destroy()
        done(error as Error)
      }
    })
    opening.end()
    return undefined
  }
  agent.createConnection = open
  return agent
}

/** What Node would read from `Object.prototype`, where anybody may have put it, if a request did not say it. */
const UNSAID = { auth: undefined, host: undefined, lookup: undefined, socketPath: undefined, timeout: undefined }

// Not the URL itself, of which Node would send user and password as `Authorization`.
function addressOf({ protocol, hostname, port, pathname, search }: URL): RequestOptions {
  const bare = hostname.replace(/^\[|\]$/g, '')
  const address = { protocol, hostname: bare, port: port || (protocol === 'https:' ? 443 : 80) }
  return { ...UNSAID, ...address, path: pathname + search } as RequestOptions
}

// Without it, Node uses the `host` header, which names the service, to verify the certificate of the proxy.
function serverNameOf({ hostname }: URL): { servername: string } {
  const host = hostname.replace(/^\[|\]$/g, '')
  return { servername: builtin('node:net')?.isIP(host) ? '' : host }
}

function authorizationOf(proxy: URL): Record<string, string> {
  const authorization = proxyAuthorization(proxy)
  return authorization === undefined ? {} : { 'proxy-authorization': authorization }
}

// Each connection attempt to a host with several addresses creates a new handle, which is ref'd again.
function releaseProcess(socket: Socket): void {
  socket.unref()
  if (socket.connecting) socket.on('connectionAttempt', () => socket.unref())
}
