import { isFields } from '@svc/core/json'
import { ownFields } from '@svc/core/own'
import { misuse } from '../misuse.ts'
import { ApiPages, ApiPromise } from './call.ts'
import type { Endpoint, Id, RowMethod } from './endpoint.ts'
import type { ENDPOINTS } from './endpoints.ts'
import { itemsOf } from './listing.ts'
import type { WithRawResponse } from './raw-response.ts'
import { callOf } from './request.ts'
import type { RequestOptions } from './request-options.ts'
import { type ApiConnection, send } from './send.ts'

/** The table of endpoints, or one namespace of it. */
interface Table {
  readonly [name: string]: Endpoint<readonly Id[], never, unknown> | Table
}

/** The methods of a table. Their arguments are path ids, request and request options. */
export type Bound<Rows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends string ? RowMethod<Rows[Name]> : Bound<Rows[Name]>
}

/** `client.api`: every endpoint of the service as a typed method. */
export interface SvcApi extends Bound<typeof ENDPOINTS> {}

/** Returns an object with a method for each row of a table. Namespaces are created when they are first used. */
export function bind<Rows extends object>(rows: Rows, connection: ApiConnection): Bound<Rows> {
  const bound = {}
  for (const [name, entry] of Object.entries(rows as Table)) {
    const at = { configurable: true, enumerable: true }
    if (typeof entry === 'string') {
      Object.defineProperty(bound, name, ownFields({ ...at, writable: true, value: methodOf(entry, connection) }))
      continue
    }
    const get = () => {
      const value = bind(entry, connection)
      Object.defineProperty(bound, name, ownFields({ ...at, value }))
      return value
    }
    Object.defineProperty(bound, name, ownFields({ ...at, get }))
  }
  return bound as Bound<Rows>
}

function methodOf(row: string, connection: ApiConnection): (...args: unknown[]) => ApiPromise<unknown> {
  const [method = '', template = '', kind, key] = row.split(' ')
  const call = `${method} /api/public${template}`
  const ids = template.match(/\{\w+\}/g) ?? []
  return (...args) => {
    const [request, options] = args.slice(ids.length) as [request: unknown, options?: RequestOptions]
    const ask = async (query: unknown): Promise<WithRawResponse<unknown>> => {
      const path = pathOf(template, ids, args, call)
      if (kind !== 'list') checkFields(call, 'a request', request)
      checkFields(call, 'options', options)
      const isEmpty = !Array.isArray(request) || request.length === 0
      if (kind === 'list' && isEmpty) throw misuse(call, 'a list that is not empty', request)
      const body = kind === 'body' || kind === 'list' ? (request ?? {}) : undefined
      if (key !== undefined) checkKey(call, key, body)
      return send(callOf({ method, path, query, body, options: options ?? {} }, connection), connection)
    }
    if (kind !== 'page' && kind !== 'cursor') return new ApiPromise(ask(kind === 'query' ? request : undefined))
    return new ApiPages(ask(request), (first) =>
      itemsOf(call, kind, first, async (at) => {
        const { data } = await ask({ ...(request as object), [kind]: at })
        return data
      }),
    )
  }
}

function pathOf(template: string, ids: readonly string[], args: readonly unknown[], call: string): string {
  return ids.reduce(
    (path, placeholder, index) => path.replace(placeholder, () => segmentOf(placeholder, args[index], call)),
    template,
  )
}

function segmentOf(placeholder: string, id: unknown, call: string): string {
  const text = typeof id === 'string' || Number.isFinite(id) ? String(id) : ''
  if (!fitsPath(text)) throw misuse(call, placeholder, id)
  return encodeURIComponent(text)
}

// An empty id would address the list above it, and `..` another resource, which a DELETE would remove. Half of a
// surrogate pair cannot be encoded.
function fitsPath(id: string): boolean {
  return !/^\.{0,2}$|\p{Surrogate}/u.test(id)
}

/** Refuses a bare value, which would be overlooked: a DELETE without its version removes them all. */
function checkFields(call: string, what: string, given: unknown): void {
  if (given !== undefined && given !== null && !isFields(given))
    throw misuse(call, `${what} that is an object, after its ids`, given)
}

/** Refuses a name under which nothing could be read again, or deleted. */
function checkKey(call: string, key: string, body: unknown): void {
  const id: unknown = Object(body)[key]
  if (typeof id === 'string' && !fitsPath(id))
    throw misuse(call, `${key === 'id' ? 'an' : 'a'} ${key} that an address can have`, id)
}
