import { foreignText, redactKeys } from '@svc/core/foreign-text'
import type { RawResponse } from './raw-response.ts'

/** Characters of a message: the name of the call, and the beginning of the answer. */
const LONGEST_MESSAGE = 1_400
const SHOWN = 1_000

export interface SvcAPIErrorDetails {
  /** HTTP status; undefined without a response. */
  readonly statusCode?: number | undefined
  /** The parsed body, or its text if it is not JSON. Keys that it repeats are hidden. */
  readonly body?: unknown
  readonly rawResponse?: RawResponse | undefined
  readonly cause?: unknown
}

/**
 * Thrown when a call of `client.api` fails: the service is unreachable, responds with an error status, or with
 * something other than JSON. The common statuses have subclasses.
 */
export class SvcAPIError extends Error {
  override name = 'SvcAPIError'
  readonly statusCode: number | undefined
  readonly body: unknown
  readonly rawResponse: RawResponse | undefined

  constructor(message: string, { statusCode, body, rawResponse, cause }: SvcAPIErrorDetails = {}) {
    super(foreignText(message, LONGEST_MESSAGE), cause === undefined ? undefined : { cause })
    this.statusCode = statusCode
    this.body = body
    this.rawResponse = rawResponse
  }
}

/**
 * Thrown when there was no complete response within `timeoutInSeconds`, retries included. Not retried: the service may have processed the
 * request.
 */
export class SvcAPITimeoutError extends SvcAPIError {
  override name = 'SvcAPITimeoutError'
}

/** Thrown when the next page of a listing cannot be fetched. The items before it were delivered. */
export class SvcPageError extends SvcAPIError {
  override name = 'SvcPageError'
}

/** 400: the request is invalid. `body` has the reason. */
export class BadRequestError extends SvcAPIError {
  override name = 'BadRequestError'
}

/** 401: the keys are missing, wrong, or of another region. */
export class UnauthorizedError extends SvcAPIError {
  override name = 'UnauthorizedError'
}

/** 403: the keys do not have the permission. */
export class AccessDeniedError extends SvcAPIError {
  override name = 'AccessDeniedError'
}

/** 404: the resource does not exist, or `SVC_BASE_URL` has a wrong path. */
export class NotFoundError extends SvcAPIError {
  override name = 'NotFoundError'
}

/** 405: the service is older than this SDK, or a proxy in front of it rejects the method. */
export class MethodNotAllowedError extends SvcAPIError {
  override name = 'MethodNotAllowedError'
}

/** 409: the resource exists already, or conflicts with another one. */
export class ConflictError extends SvcAPIError {
  override name = 'ConflictError'
}

/** 422: the request cannot be processed, for example an expensive query. */
export class UnprocessableContentError extends SvcAPIError {
  override name = 'UnprocessableContentError'
}

/** 429: too many requests, after all retries. */
export class TooManyRequestsError extends SvcAPIError {
  override name = 'TooManyRequestsError'
}

/** 500: the service failed, after all retries. */
export class InternalServerError extends SvcAPIError {
  override name = 'InternalServerError'
}

/** 503: the service is temporarily unavailable, after all retries. */
export class ServiceUnavailableError extends SvcAPIError {
  override name = 'ServiceUnavailableError'
}

const BY_STATUS: Readonly<Record<number, typeof SvcAPIError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: AccessDeniedError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  409: ConflictError,
  422: UnprocessableContentError,
  429: TooManyRequestsError,
  500: InternalServerError,
  503: ServiceUnavailableError,
}

/**
 * Returns the error for a response with an error status.
 *
 * @param why what else ended the call, behind the status
 */
export function errorOfAnswer(call: string, why: string, text: string, rawResponse: RawResponse): SvcAPIError {
  const { status } = rawResponse
  const shown = foreignText(text, SHOWN)
  const ErrorClass = BY_STATUS[status] ?? SvcAPIError
  const message = `${call} answered ${status}${why}${shown && `: ${shown}`}`
  return new ErrorClass(message, { statusCode: status, body: parsed(redactKeys(text)), rawResponse })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text || undefined
  }
}
