import type { ApiPages, ApiPromise } from './call.ts'
import type { RequestOptions } from './request-options.ts'

declare const TYPES: unique symbol

/**
 * A row of the table: method, path below `/api/public`, and what the request becomes. `query` and `body` say so,
 * `list` is a body that must not be empty; `page` and `cursor` are queries of listings that go on by number or by
 * cursor; without a word it is ignored.
 */
export type Endpoint<Ids extends readonly Id[], Request, Response> = string & {
  readonly [TYPES]?: [Ids, Request, Response]
}

/**
 * A row with the types of its path ids, its request and its response. Compares them with the text as far as types can.
 *
 * @__NO_SIDE_EFFECTS__
 */
export function row<Ids extends readonly Id[], Request, Response>(
  text: Text<Path<Ids>, Request, Response>,
): Endpoint<Ids, Request, Response> {
  return text
}

/** Part of a path. */
export type Id = string | number

/**
 * The request of a method that has neither query nor body: nothing, or `{}` in front of request options. Options in
 * its place are a compile error.
 */
export type NoRequest = Record<string, never>

/** The method that a row becomes: ids, request, options. */
export type Method<Row> =
  Row extends Endpoint<infer Ids, infer Request, infer Response>
    ? (...args: [...Ids, ...RequestSlot<Request>, requestOptions?: RequestOptions]) => Result<Response>
    : never

// biome-ignore lint/complexity/noBannedTypes: asks whether a request without any field will do.
type RequestSlot<Request> = {} extends Request ? [request?: Request] : [request: Request]

// In tuples, so that a union of responses stays one.
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
    : `${Http} ${Place} ${'query' | 'body' | 'list'}`

type Http = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
