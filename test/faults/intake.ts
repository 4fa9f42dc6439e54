import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { spanNamesIn } from './names.ts'

/** A request as the intake sees it. */
export interface Arrival {
  /** Requests before it. */
  readonly index: number
  /** Milliseconds since the intake was made. */
  readonly at: number
  /** Bytes on the wire, and uncompressed. */
  readonly wire: number
  readonly raw: number
  readonly headers: IncomingMessage['headers']
  readonly names: readonly string[]
}

/** What the intake does with a request. Left out: it takes the spans and answers 200. */
export interface Reaction {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Whether the spans are taken. Default: what the status says. */
  readonly takes?: boolean | ((name: string) => boolean)
  readonly afterMs?: number
  /** What becomes of the answer. */
  readonly answer?: 'none' | 'reset' | 'truncated' | 'drip'
}

export interface Fault {
  /** Decides by what is known of a request before its body: the connection is reset in the middle of that. */
  readonly resetsBody?: (index: number) => boolean
  readonly react?: (arrival: Arrival) => Reaction | undefined
  /** Milliseconds from the start during which nothing listens; `Infinity` until it is opened. */
  readonly downFor?: number
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** An endpoint on loopback that counts what it took, and misbehaves as told. */
export interface FaultyIntake {
  readonly url: string
  readonly port: number
  /** How often each span was taken, by name. */
  readonly taken: ReadonlyMap<string, number>
  readonly requests: readonly Arrival[]
  /** Resolves when so many different spans were taken; false after `ms`. */
  has(spans: number, ms: number): Promise<boolean>
  /** Listens, where it does not. */
  open(): Promise<void>
  close(): Promise<void>
}

export async function startFaultyIntake(fault: Fault = {}): Promise<FaultyIntake> {
  const started = performance.now()
  const taken = new Map<string, number>()
  const requests: Arrival[] = []
  const waiting = new Set<() => void>()
  const sockets = new Set<Socket>()
  const timers = new Set<ReturnType<typeof setInterval>>()
  let count = 0

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    request.on('error', () => {})
    response.on('error', () => {})
    const index = count++
    if (fault.resetsBody?.(index)) {
      request.once('data', () => request.socket.resetAndDestroy())
      return
    }
    const wire = await bodyOf(request)
    if (!wire) return
    const raw = request.headers['content-encoding'] === 'gzip' ? gunzipSync(wire) : wire
    const at = performance.now() - started
    const arrival = { index, at, wire: wire.length, raw: raw.length, headers: request.headers, names: spanNamesIn(raw) }
    requests.push(arrival)
    const { status = 200, takes = status < 300, afterMs = 0, ...rest } = fault.react?.(arrival) ?? {}
    if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs))
    if (rest.answer === 'none') return
    // What is answered to nobody was not taken: whoever sent it does not know.
    if (takes !== false && !response.destroyed) {
      for (const name of arrival.names) {
        if (takes === true || takes(name)) taken.set(name, (taken.get(name) ?? 0) + 1)
      }
    }
    answer(request, response, { status, ...rest })
    for (const check of waiting) check()
  }

  function answer(request: IncomingMessage, response: ServerResponse, reaction: Reaction): void {
    const body = reaction.body ?? '{}'
    const headers = { 'content-type': 'application/json', ...reaction.headers }
    if (reaction.answer === 'reset') request.socket.resetAndDestroy()
    else if (reaction.answer === 'truncated') {
      response.writeHead(reaction.status ?? 200, { ...headers, 'content-length': 1_000 })
      response.write(body, () => request.socket.destroy())
    } else if (reaction.answer === 'drip') {
      response.writeHead(reaction.status ?? 200, { ...headers, 'content-length': 1_000_000 })
      timers.add(setInterval(() => response.write(' '), 50))
    } else response.writeHead(reaction.status ?? 200, headers).end(body)
  }

  const server: Server = fault.tls ? createTlsServer(fault.tls, handle) : createServer(handle)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = async () => {
    if (server.listening) return
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  if (fault.downFor) {
    server.close()
    await once(server, 'close')
    if (Number.isFinite(fault.downFor)) timers.add(setTimeout(open, fault.downFor))
  }
  return {
    url: `${fault.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    taken,
    requests,
    has: (spans, ms) =>
      new Promise((resolve) => {
        const end = (result: boolean) => {
          clearTimeout(timer)
          waiting.delete(check)
          resolve(result)
        }
        const check = () => taken.size >= spans && end(true)
        const timer = setTimeout(() => end(false), ms)
        waiting.add(check)
        check()
      }),
    open,
    async close() {
      for (const timer of timers) clearTimeout(timer)
      for (const socket of sockets) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  try {
    return Buffer.concat(await request.toArray())
  } catch {
    return undefined
  }
}
