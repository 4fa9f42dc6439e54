import { HEADER } from '@svc/core/attributes'
import { toJson } from '@svc/core/json'
import { ownFields } from '@svc/core/own'
import { SvcAPIError } from './errors.ts'
import type { RequestOptions } from './request-options.ts'
import type { ApiCall, ApiConnection } from './send.ts'

const LONGEST_MS = 2 ** 31 - 1
const RETRIES = 2

/** A call, from the row of the table and the arguments. */
export interface RequestSpec {
  /** `GET`, … */
  readonly method: string
  /** Path below `/api/public`, ids filled in. */
  readonly path: string
  readonly query: unknown
  readonly body: unknown
  readonly options: RequestOptions
}

/** @throws {SvcAPIError} if there is no valid base URL, or a header or the body cannot be encoded. */
export function callOf({ method, path, query, body, ...given }: RequestSpec, connection: ApiConnection): ApiCall {
  const options = ownFields(given.options)
  const name = `${method} /api/public${path}`
  if (connection.baseUrl === undefined) {
    throw new SvcAPIError(`${name} was not sent: the base URL is not valid. Set SVC_BASE_URL.`)
  }
  const content = toJson(body)
  return {
    name,
    url: `${connection.baseUrl}/api/public${path}${queryOf({ ...(query as object), ...options.queryParams })}`,
    init: {
      method,
      headers: checkedHeaders(headersOf(connection, options, content), name),
      // The global `fetch` would read one of `Object.prototype`.
      body: content ?? null,
    },
    timeoutMs: millisecondsOf(options.timeoutInSeconds, connection.timeoutInSeconds),
    maxRetries: retriesOf(options.maxRetries),
    abortSignal: options.abortSignal,
  }
}

function headersOf(
  { headers }: ApiConnection,
  options: RequestOptions,
  content: string | undefined,
): Record<string, string> {
  const own = {
    [HEADER.SDK_NAME]: options.xSvcSdkName,
    [HEADER.SDK_VERSION]: options.xSvcSdkVersion,
    [HEADER.PUBLIC_KEY]: options.xSvcPublicKey,
    'content-type': content === undefined ? undefined : 'application/json',
  }
  const all: Record<string, string> = ownFields({ ...headers })
  for (const [name, value] of [...Object.entries(own), ...Object.entries(options.headers ?? {})]) {
    if (value !== undefined && value !== null) all[name.toLowerCase()] = value
  }
  return all
}

// The error of `fetch` for an invalid header contains its value, which may be a secret.
function checkedHeaders(headers: Record<string, string>, name: string): Record<string, string> {
  for (const [header, value] of Object.entries(headers)) {
    try {
      new Headers([[header, value]])
    } catch {
      throw new SvcAPIError(`${name} was not sent: the value of the header ${header} cannot be sent.`)
    }
  }
  return headers
}

/** Returns a query string. Lists repeat the name, dates become ISO strings, null and undefined are omitted. */
function queryOf(query: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) params.append(name, writeValue(each))
    }
  }
  return params.size > 0 ? `?${params}` : ''
}

function writeValue(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

// `AbortSignal.timeout` throws for fractions and for more than a timer allows.
function millisecondsOf(seconds: number | undefined, otherwise: number): number {
  const valid = seconds !== undefined && seconds > 0 ? seconds : otherwise
  return Math.min(Math.ceil(valid * 1_000), LONGEST_MS)
}

function retriesOf(maxRetries: number | undefined): number {
  return maxRetries !== undefined && maxRetries >= 0 ? maxRetries : RETRIES
}
