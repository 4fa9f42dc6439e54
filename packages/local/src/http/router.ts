import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from './answer.ts'
import type { BodyLimits } from './body.ts'

/** A request on its way to a handler. */
export interface Call {
  readonly method: string
  readonly path: string
  /** The `{names}` of the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Aborts when the client leaves before it has the whole answer. */
  readonly left: AbortSignal
  /** Reads and decompresses the body, within these limits or those of body.ts. */
  body(limits?: BodyLimits): Promise<Buffer>
}

/**
 * The callers that are let in: `anyone`; `project`: the project's keys, or the page; `scores`: the same, or the public
 * key alone; `page`: a browser in which the printed URL was opened; `own-page`: the same, but only from the page of this
 * service.
 */
export type Access = 'anyone' | 'project' | 'scores' | 'page' | 'own-page'

/** One row of the route table. */
export interface Route<Service> {
  /** The client's name for it: `scores.create`. Pages and the storage of media files have none. */
  readonly endpoint?: string
  readonly method: string
  /** Path with `{names}`: each stands for one segment. */
  readonly path: string
  readonly access: Access
  /** It reads what is kept, and nothing else of the service. */
  readonly reads?: boolean
  /** It writes, and takes long where its body is long or, with `data`, much is kept. */
  readonly writes?: 'body' | 'data'
  /** Of its body. */
  readonly limits?: BodyLimits
  /** Looks at a request before its body is read. @throws Refusal */
  check?(call: Call, service: Service): void
  handle(call: Call, service: Service): Answer | Promise<Answer>
}

export interface Match<Service> {
  readonly route: Route<Service>
  readonly params: Readonly<Record<string, string>>
}

/** The row that serves a request, or the methods its path would take, or undefined for an unknown path. */
export function matchRoute<Service>(
  routes: readonly Route<Service>[],
  method: string,
  path: string,
): Match<Service> | { readonly allowed: readonly string[] } | undefined {
  const given = path.split('/')
  const candidates = routes.flatMap((route) => {
    const params = matchPath(route.path, path, given)
    return params ? [{ route, params }] : []
  })
  if (candidates.length === 0) return undefined
  const routeMethod = method === 'HEAD' ? 'GET' : method
  return (
    candidates.find(({ route }) => route.method === routeMethod) ?? {
      allowed: candidates.map(({ route }) => route.method),
    }
  )
}

/** The `{names}` of a pattern in a path; undefined where it does not fit. */
export function matchPath(pattern: string, path: string, given = path.split('/')): Record<string, string> | undefined {
  const expected = pattern.split('/')
  if (expected.length !== given.length) return undefined
  const params: [string, string][] = []
  for (const [at, part] of expected.entries()) {
    const segment = given[at] ?? ''
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined ? part !== segment : segment === '') return undefined
    if (name !== undefined) params.push([name, decodedSegment(segment)])
  }
  return Object.fromEntries(params)
}

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
