import { AsyncResource } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import { attempt } from '@svc/core/attempt'
import { builtin } from '@svc/core/builtin'
import type { Describe, RequestDescription } from './http-root/served.ts'
import type { FollowedCall, RequestFollower } from './request-channels.ts'

/** A function that answers requests of the web, with all else that the server passes to it. */
type Handler = (this: unknown, request: Request, ...rest: unknown[]) => unknown
type Serve = (...args: unknown[]) => unknown
type Fields = Readonly<Record<string, unknown>>
type Follower = () => RequestFollower | undefined

/**
 * Passes the requests that Bun and Deno serve to their follower: `Bun.serve` and `Deno.serve` call a function of the
 * application, and Bun's `node:http` publishes nothing. Does nothing in Node.
 */
export function followWebServers(follower: Follower): void {
  const { Bun, Deno } = globalThis as { Bun?: { serve?: Serve }; Deno?: { serve?: Serve } }
  const followed = (handler: Handler, route?: string): Handler =>
    function (this: unknown, request, ...rest) {
      const serve = () => Reflect.apply(handler, this, [request, ...rest])
      return served(follower, request, route, serve)
    }
  const all = (fields: unknown, names: readonly string[], route?: string) =>
    isFields(fields)
      ? mapped(fields, (value, name) => (names.includes(name) && isHandler(value) ? followed(value, route) : value))
      : fields
  const ofRoute = (value: unknown, path: string) =>
    isHandler(value) ? followed(value, path) : isPlain(value) ? all(value, METHODS, path) : value
  if (Deno) replaceServe(follower, Deno, (arg) => (isHandler(arg) ? followed(arg) : all(arg, ['handler'])))
  if (Bun || Deno) followNodeServers(follower, Bun !== undefined)
  if (!Bun) return
  replaceServe(follower, Bun, (options) => {
    const changed = all(options, ['fetch'])
    if (!isFields(changed) || !isFields(changed.routes)) return changed
    return { ...changed, routes: mapped(changed.routes, ofRoute) }
  })
}

/** What `serve` returns, in Bun and in Deno. */
interface Server {
  readonly port?: unknown
  readonly addr?: { readonly port?: unknown }
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

function replaceServe(follower: Follower, runtime: { serve?: Serve }, change: (arg: unknown) => unknown): void {
  const { serve } = runtime
  if (typeof serve !== 'function') return
  const replacement: Serve = function (this: unknown, ...args) {
    const server = Reflect.apply(serve, this, attempt('follow a server', () => args.map(change)) ?? args)
    attempt('follow a server', () => follower()?.listens((server as Server).port ?? (server as Server).addr?.port))
    return server
  }
  attempt('follow servers', () => Object.assign(runtime, { serve: replacement }))
}

/** Serves a request in a context of its own, which is over with the response of the application. */
function served(follower: Follower, request: Request, route: string | undefined, serve: () => unknown): unknown {
  let status: number | undefined
  const call = attempt('follow a request', () => begin(follower(), request, route, () => status))
  if (!call) return serve()
  const done = (seen: number | undefined) => {
    status = seen
    call.done()
  }
  try {
    const answer = call.run(serve)
    // Both runtimes answer 500 where the handler fails.
    void Promise.resolve(answer).then(
      (response) => done((response as Response | undefined)?.status),
      () => done(500),
    )
    return answer
  } catch (error) {
    done(500)
    throw error
  }
}

function begin(
  follower: RequestFollower | undefined,
  { method, url, headers }: Request,
  matched: string | undefined,
  status: () => number | undefined,
): FollowedCall | undefined {
  const describe: Describe = (route = matched): RequestDescription => {
    const { pathname: path } = new URL(url)
    return { method, path, route, status: status() }
  }
  return follower?.web(Object.fromEntries(headers) as IncomingHttpHeaders, describe)
}

interface NetServer {
  address(): { readonly port?: unknown } | null
}

/** Bun and Deno emit the events of `node:http` as Node does. @param isSilent whether no request is published, as in Bun */
function followNodeServers(follower: Follower, isSilent: boolean): void {
  const { Server } = builtin('node:http') ?? {}
  if (!Server) return
  const prototype = Server.prototype as unknown as { emit: (...args: unknown[]) => boolean }
  const { emit } = prototype
  prototype.emit = function (this: unknown, ...args: unknown[]) {
    const [event, request, response] = args
    if (event === 'listening')
      attempt('follow a server', () => follower()?.listens((this as NetServer).address()?.port))
    if (event !== 'request' || !isSilent) return Reflect.apply(emit, this, args)
    // What the follower enters is left with this request.
    return new AsyncResource('SvcRequest').runInAsyncScope(() => {
      attempt('follow a request', () => follower()?.http1({ request, response } as never))
      return Reflect.apply(emit, this, args)
    })
  }
}

function mapped(fields: Fields, change: (value: unknown, name: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]))
}

const isHandler = (value: unknown): value is Handler => typeof value === 'function'
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
/** A response is an answer of its own, and so is an HTML file of Bun, which has a class. */
const isPlain = (value: unknown): value is Fields =>
  isFields(value) && Object.getPrototypeOf(value) === Object.prototype
