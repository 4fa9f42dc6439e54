import { randomUUID } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { isModelPath } from '@svc/instrumentation/model-path'
import { ReadTeller } from './tell-reads.ts'
import { activePlace } from './tree-place.ts'

/**
 * Has the requests to models of this process go to a replay server, below the libraries: undici's dispatcher, which is that
 * of `fetch`, and `request` and `get` of `node:http` and `node:https`. Loaded by `svc replay` as
 * `--import redirect.js?http://127.0.0.1:1234`, and by no other process.
 *
 * @param url of the replay server, with the secret path that it answers below
 * @returns what undoes it
 */
export function redirectTo(url: string): () => void {
  const server = new URL(url)
  const reads = new ReadTeller(server)
  const idOf = (path: string) => (path.startsWith(`${server.pathname}/`) ? path.split('/', 3)[2] : undefined)
  const undone = [
    redirectUndici(server),
    reads.followUndici(idOf),
    ...[http, https].map((module) => redirectModule(module, server, reads)),
  ]
  syncBuiltinESMExports()
  return () => {
    for (const undo of undone) undo()
    syncBuiltinESMExports()
  }
}

/** Requests of this process, which may have others beside it. */
const own = randomUUID()
let requests = 0

const nextId = (): string => {
  requests += 1
  return `${own}.${requests}`
}

const pathAt = ({ pathname }: URL, origin: string, path: string, id = nextId()): string =>
  `${pathname}/${id}/${encodeURIComponent(origin)}/${activePlace()}${path}`

interface DispatchOptions {
  readonly origin?: unknown
  readonly path: string
}

interface Dispatcher {
  dispatch(options: DispatchOptions, handler: unknown): boolean
}

/** Versions of undici share the dispatcher of a process under these names; 8 has one of its own. */
const DISPATCHERS = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Symbol.for(name))

function redirectUndici(server: URL): () => void {
  // Node makes its own with the first use of what belongs to `fetch`.
  void new Headers()
  const slots = globalThis as unknown as Record<symbol, Dispatcher | undefined>
  const before = DISPATCHERS.map((name) => [name, slots[name]] as const).filter(([, original]) => original)
  for (const [name, original] of before) {
    if (!original) continue
    slots[name] = new Proxy(original, {
      get(target, key) {
        const value = Reflect.get(target, key, target)
        if (key !== 'dispatch') return typeof value === 'function' ? value.bind(target) : value
        return (options: DispatchOptions, handler: unknown) =>
          target.dispatch(
            isModelPath(options.path) && options.origin !== server.origin
              ? { ...options, origin: server.origin, path: pathAt(server, String(options.origin), options.path) }
              : options,
            handler,
          )
      },
    })
  }
  return () => {
    for (const [name, original] of before) slots[name] = original
  }
}

type Request = typeof http.request

function redirectModule(module: typeof http | typeof https, server: URL, reads: ReadTeller): () => void {
  const { request, get } = module
  const scheme = module === https ? 'https:' : 'http:'
  const redirected = (...args: unknown[]) => {
    const read = readRequest(args, scheme)
    if (!isModelPath(read.path) || read.origin === server.origin) return Reflect.apply(request, module, args)
    const id = nextId()
    const target = {
      ...read.options,
      ...ANY_CONNECTION,
      hostname: server.hostname,
      port: server.port,
      path: pathAt(server, read.origin, read.path, id),
    }
    const sent = plainRequest(target, ...read.callbacks)
    reads.followHttp(sent, id)
    return sent
  }
  module.request = redirected as Request
  module.get = ((...args: unknown[]) => {
    const sent = redirected(...args) as http.ClientRequest
    sent.end()
    return sent
  }) as typeof http.get
  return () => Object.assign(module, { request, get })
}

/** In place of what belongs to a connection to somewhere else. */
const ANY_CONNECTION = {
  protocol: 'http:',
  defaultPort: 80,
  agent: undefined,
  createConnection: undefined,
  socketPath: undefined,
  host: undefined,
}

const { request: plainRequest } = http as unknown as { request: (...args: unknown[]) => http.ClientRequest }

/** Reads the arguments of `http.request`: a URL, options, or both, and a callback. */
function readRequest(args: readonly unknown[], scheme: string) {
  const [first, second, third] = args
  const isUrl = typeof first === 'string' || first instanceof URL
  const url = isUrl ? new URL(first) : undefined
  const [given, ...callbacks] = isUrl ? [second, third] : [first, second]
  const hasOptions = typeof given === 'object' && given !== null
  const options = { ...(url && urlOptions(url)), ...(hasOptions ? (given as http.RequestOptions) : {}) }
  const { protocol = scheme, hostname = options.host ?? 'localhost', port, path = '/' } = options
  return {
    options,
    path: String(path),
    origin: `${protocol}//${hostname}${port ? `:${port}` : ''}`,
    callbacks: (isUrl && !hasOptions ? [given] : callbacks).filter((each) => typeof each === 'function'),
  }
}

const urlOptions = ({ protocol, hostname, port, pathname, search }: URL): http.RequestOptions => ({
  ...{ protocol, hostname: hostname.replace(/^\[|\]$/g, ''), path: pathname + search },
  ...(port !== '' && { port }),
})

const [, address] = import.meta.url.split('?', 2)
if (address !== undefined) redirectTo(address)
