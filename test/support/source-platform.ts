import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Row = Readonly<Record<string, unknown>>

/** Rows of a dataset, held or made when they are asked for. */
interface Rows {
  readonly length: number
  at(index: number): Row | undefined
}

/** An answer in the place of the platform's own. */
export interface Fault {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text goes as it is, so that it may be broken JSON. */
  readonly body?: unknown
  /** The connection breaks in the middle of the body. */
  readonly cut?: boolean
}

/** A request at the source. */
export interface SourceRequest {
  /** With its query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
}

/** The platform that datasets come from, as the contract describes it: pages with a cursor, behind a key. */
export interface SourcePlatform {
  readonly url: string
  readonly key: string
  /** Each request so far. */
  requests(): readonly SourceRequest[]
  /** Answers the n-th request from now on (from 1) with a fault. */
  fail(fault: Fault, nth?: number): void
  close(): Promise<void>
}

export interface SourceOptions {
  readonly datasets: Readonly<Record<string, Rows>>
  /** Names of the page object as the platform's own client has them. */
  readonly camelCase?: boolean
  /** Leads from the cursor of a page to one before. */
  readonly circle?: boolean
}

export async function startSource({
  datasets,
  camelCase = false,
  circle = false,
}: SourceOptions): Promise<SourcePlatform> {
  const key = 'source-key-1234'
  const seen: SourceRequest[] = []
  const faults = new Map<number, Fault>()

  const page = (url: URL): unknown => {
    const [, id = ''] = /^\/v2\/datasets\/([^/]+)\/examples$/.exec(url.pathname) ?? []
    const rows = datasets[decodeURIComponent(id)]
    const listing = url.pathname === '/v2/datasets' ? Object.keys(datasets) : undefined
    const all: Rows | undefined = listing?.map((name) => ({ id: name, name: `named ${name}` })) ?? rows
    if (!all) return undefined
    const limit = Number(url.searchParams.get('limit') ?? 50)
    const from = Number(/^c(\d+)$/.exec(url.searchParams.get('cursor') ?? 'c0')?.[1] ?? Number.NaN)
    if (Number.isNaN(from)) return { bad: 'cursor' }
    const shown = Array.from({ length: Math.min(limit, all.length - from) }, (_, at) => all.at(from + at))
    const more = from + limit < all.length
    const next = more ? `c${circle ? 500 : from + limit}` : null
    const names = listing ? 'datasets' : 'examples'
    return camelCase
      ? { data: shown, pagination: { hasMore: more, nextCursor: next } }
      : { [names]: shown, pagination: { has_more: more, next_cursor: next } }
  }

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://source')
    seen.push({ path: `${url.pathname}${url.search}`, headers: request.headers })
    const fault = faults.get(seen.length)
    const found = page(url)
    const authorized = request.headers.authorization === `Bearer ${key}`
    const status = fault?.status ?? (authorized ? (found === undefined ? 404 : 200) : 401)
    const body = fault?.body ?? (status === 200 ? found : { message: `no (${status})` })
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', ...fault?.headers })
    if (!fault?.cut) return void response.end(text)
    response.write(text.slice(0, text.length / 2), () => response.destroy())
  }

  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    requests: () => seen,
    fail: (fault, nth = 1) => void faults.set(seen.length + nth, fault),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
