// The endpoint on loopback that counts what it took, and misbehaves as told. A process of its own, told by messages: the
// one of the tests is busy where many of them run at once.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { type Fault, type Reaction, reactionTo } from './fault.ts'
import type { News, Question } from './intake.ts'
import { spanNamesIn } from './names.ts'

class Endpoint {
  readonly #fault: Fault
  readonly #speed: number
  readonly #server
  readonly #started = performance.now()
  readonly #sockets = new Set<Socket>()
  readonly #timers = new Set<ReturnType<typeof setInterval>>()
  #count = 0
  #port = 0

  constructor(fault: Fault) {
    this.#fault = fault
    this.#speed = fault.speed ?? 1
    const handle = (request: IncomingMessage, response: ServerResponse) => void this.#handle(request, response)
    this.#server = fault.tls ? createTlsServer(fault.tls, handle) : createServer(handle)
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket))
    })
  }

  /** @returns its port */
  async start(): Promise<number> {
    await this.open()
    this.#port = (this.#server.address() as AddressInfo).port
    const { downFor } = this.#fault
    if (downFor) await this.#stop()
    if (downFor && Number.isFinite(downFor)) this.#timers.add(setTimeout(() => this.open(), downFor / this.#speed))
    return this.#port
  }

  async open(): Promise<void> {
    if (this.#server.listening) return
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    for (const socket of this.#sockets) socket.destroy()
    await this.#stop()
  }

  async #stop(): Promise<void> {
    if (!this.#server.listening) return
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => {})
    response.on('error', () => {})
    const index = this.#count++
    if (index < (this.#fault.resets ?? 0)) {
      request.once('data', () => request.socket.resetAndDestroy())
      return
    }
    const wire = await bodyOf(request)
    if (!wire) return
    const isCompressed = request.headers['content-encoding'] === 'gzip'
    const raw = isCompressed ? gunzipSync(wire) : wire
    const names = spanNamesIn(raw)
    const at = (performance.now() - this.#started) * this.#speed
    const { headers } = request
    const arrival = { index, at, wire: wire.length, raw: raw.length, headers, isCompressed }
    tell({ arrival })
    const reaction = reactionTo({ ...arrival, names }, this.#fault)
    const { status = 200, takes = status < 300, rejects = [], afterMs = 0 } = reaction
    if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs / this.#speed))
    if (reaction.answer === 'none') return
    // What is answered to nobody was not taken: whoever sent it does not know.
    const take = () => takes && !response.destroyed && tell({ taken: names.filter((name) => !rejects.includes(name)) })
    this.#answer(request, response, { ...reaction, status }, take)
  }

  /**
   * Takes when the answer is on its way: an application that is told to end before its answer is there has to send once
   * more.
   */
  #answer(request: IncomingMessage, response: ServerResponse, reaction: Reaction, take: () => void): void {
    const { status = 200, body = '{}', retryAt } = reaction
    const headers = { 'content-type': 'application/json', ...reaction.headers, ...(retryAt && datesOf(retryAt)) }
    if (reaction.answer) take()
    if (reaction.answer === 'reset') request.socket.resetAndDestroy()
    else if (reaction.answer === 'truncated') {
      response.writeHead(status, { ...headers, 'content-length': 1_000 })
      response.write(body, () => request.socket.destroy())
    } else if (reaction.answer === 'drip') {
      response.writeHead(status, { ...headers, 'content-length': 1_000_000 })
      this.#timers.add(setInterval(() => response.write(' '), 50))
    } else response.writeHead(status, headers).end(body, take)
  }
}

function datesOf({ ms, clockMs }: NonNullable<Reaction['retryAt']>): Record<string, string> {
  const now = Date.now() + clockMs
  return { date: new Date(now).toUTCString(), 'retry-after': new Date(now + ms).toUTCString() }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  try {
    return Buffer.concat(await request.toArray())
  } catch {
    return undefined
  }
}

function tell(news: News): void {
  process.send?.(news)
}

let endpoint: Endpoint | undefined

async function answerTo(question: Question): Promise<unknown> {
  if (typeof question === 'object') {
    endpoint = new Endpoint(question.fault)
    return endpoint.start()
  }
  return question === 'open' ? endpoint?.open() : endpoint?.close()
}

process.on('disconnect', () => process.exit())
process.on('message', async (question: Question) => tell({ answer: await answerTo(question) }))
