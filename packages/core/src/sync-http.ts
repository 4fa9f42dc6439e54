import type { MessagePort } from 'node:worker_threads'
import { builtin } from './builtin.ts'
import { EXIT_THREAD_CODE } from './exit-thread-code.ts'
import { hostProcess } from './host-process.ts'
import { type HttpRequest, type HttpResponse, NoResponseError } from './http-exchange.ts'
import type { TlsTrust } from './node-http.ts'
import { ownFields } from './own.ts'
import type { Transport } from './transport.ts'

/** The outcome of a request: its response, or the error without one. */
export interface Exchanged {
  readonly id: number
  readonly outcome: HttpResponse | Error
}

/**
 * HTTP for a thread whose event loop does not run any more: a worker sends the requests, and the thread waits for
 * responses with `Atomics.wait`. Created in the `exit` event, so it costs nothing before.
 */
export interface SyncHttp {
  send(id: number, request: HttpRequest, transport: Transport): void
  /** Waits for responses, at most `waitMs`; may return none. */
  receive(waitMs: number): Exchanged[]
  close(): void
}

/** What the worker is started with. */
export interface ExitThreadData {
  readonly port: MessagePort
  /** The number of answers that were sent through the port. */
  readonly arrived: Int32Array
}

export interface SyncQuestion {
  readonly id: number
  readonly request: HttpRequest
  readonly transport: Transport
  readonly trust: TlsTrust
}

export type SyncAnswer = { readonly id: number } & (
  | { readonly response: HttpResponse; readonly error?: undefined }
  | { readonly response?: undefined; readonly error: AnswerError }
)

/** An error as plain data: a cloned error would only keep its message. */
interface AnswerError {
  readonly message: string
  readonly code?: string | undefined
  readonly timeoutMs?: number
}

/** Whether Node's permission model lets this process start workers. */
export function mayStartWorker(): boolean {
  return hostProcess()?.permission?.has('worker') !== false
}

/** Starts the worker; undefined if that is not allowed (permission model) or not possible (other runtimes). */
export function syncHttp(): SyncHttp | undefined {
  const threads = builtin('node:worker_threads')
  if (!threads || !mayStartWorker()) return undefined
  const { MessageChannel, receiveMessageOnPort, Worker } = threads
  const { port1: port, port2 } = new MessageChannel()
  const arrived = new Int32Array(new SharedArrayBuffer(4))
  let seen = 0
  try {
    const worker = new Worker(
      EXIT_THREAD_CODE,
      ownFields({
        eval: true,
        name: 'svc exit',
        // No variables and no flags, because a preload in them would start in the worker, too.
        env: {},
        execArgv: [],
        workerData: { port: port2, arrived } satisfies ExitThreadData,
        transferList: [port2],
      }),
    )
    // If the process does not end, the worker must not affect it.
    worker.on('error', () => {})
    worker.unref()
  } catch {
    return undefined
  }
  return {
    send(id, request, transport) {
      const trust = { rejectUnauthorized: transport.rejectUnauthorized, ...trustOf(request) }
      port.postMessage({ id, request, transport, trust } satisfies SyncQuestion)
    },
    receive(waitMs) {
      Atomics.wait(arrived, 0, seen, waitMs)
      seen = Atomics.load(arrived, 0)
      return received(port, receiveMessageOnPort)
    },
    close: () => port.close(),
  }
}

function received(port: MessagePort, receive: (port: MessagePort) => { message: unknown } | undefined): Exchanged[] {
  const all: Exchanged[] = []
  for (let next = receive(port); next; next = receive(port)) {
    const { id, response, error } = next.message as SyncAnswer
    all.push({ id, outcome: error ? errorOf(error) : { ...response, headers: ownFields(response.headers) } })
  }
  return all
}

function errorOf({ timeoutMs, ...error }: AnswerError): Error {
  return timeoutMs === undefined ? Object.assign(new Error(), error) : new NoResponseError(timeoutMs)
}

/**
 * Returns the certificates that only this thread trusts: those of the system (`--use-system-ca`) or of the application
 * (`tls.setDefaultCACertificates`). Every thread trusts those of `NODE_EXTRA_CA_CERTS`.
 */
function trustOf({ url }: HttpRequest): TlsTrust {
  const tls = new URL(url).protocol === 'https:' ? builtin('node:tls') : undefined
  // Only Node has this function.
  if (typeof tls?.getCACertificates !== 'function') return {}
  const [all, bundled, extra] = (['default', 'bundled', 'extra'] as const).map((type) => tls.getCACertificates(type))
  const isUsual = all?.length === (bundled?.length ?? 0) + (extra?.length ?? 0)
  return { minVersion: tls.DEFAULT_MIN_VERSION, ...(all && !isUsual && { ca: all }) }
}
