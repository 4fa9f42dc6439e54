import type { ApiPages, ApiPromise } from './call.ts'
import type { RequestOptions } from './request-options.ts'

declare const TYPES: unique symbol

/**
 * A row of the table: method, path below `/api/public`, and where the request is sent: `query`, `body`, or `list` for a
 * body that must not be empty; `page` and `cursor` for queries of listings with numbered pages or cursors. Without such
 * a word there is no request argument. After `body` stands the field by which paths name what is created.
 */
export type Endpoint<Ids extends readonly Id[], Request, Response> = string & {
  readonly [TYPES]?: [Ids, Request, Response]
}

/**
 * Returns a row with the types of its path ids, request and response, which the compiler compares with the text.
 *
 * @__NO_SIDE_EFFECTS__
 */
export function row<Ids extends readonly Id[], Request, Response>(
  text: Text<Path<Ids>, Request, Response>,
): Endpoint<Ids, Request, Response> {
  return text
}

/** An id in a path. */
export type Id = string | number

/**
 * The request of a method without query and body: omitted, or `{}` in front of request options. Options in its place
 * are a compile error.
 */
export type NoRequest = Record<string, never>

/** The method of a row. Its arguments are path ids, request and request options. */
export type RowMethod<Row> =
  Row extends Endpoint<infer Ids, infer Request, infer Response>
    ? (...args: [...Ids, ...RequestSlot<Request>, requestOptions?: RequestOptions]) => Result<Response>
    : never

// biome-ignore lint/complexity/noBannedTypes: tests whether all fields of a request are optional.
type RequestSlot<Request> = {} extends Request ? [request?: Request] : [request: Request]

// In tuples, so that the condition does not distribute over a union of responses.
type Result<Response> = [Response] extends [Listing<infer Item>] ? ApiPages<Response, Item> : ApiPromise<Response>

type Listing<Item> = { data: Item[]; meta: object }

type Path<Ids extends readonly Id[]> = Ids['length'] extends 2
  ? `/${string}/{${string}}/${string}{${string}}`
  : Ids['length'] extends 1
    ? `/${string}/{${string}}${string}`
    : `/${string}`

type Text<Place extends string, Request, Response> = [Response] extends [Listing<unknown>]
  ? `GET ${Place} ${'page' | 'cursor'}`
  : [Request] extends [NoRequest]
    ? `${Http} ${Place}`
    : `${Http} ${Place} ${'query' | 'body' | `body ${keyof Request & string}` | 'list'}`

type Http = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
