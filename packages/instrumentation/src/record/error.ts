import { type Attributes, type Exception, type Span, SpanStatusCode } from '@opentelemetry/api'
import { GENERAL } from '@svc/core/attributes'
import { redactKeys, shortened } from '@svc/core/foreign-text'
import { messageOf } from '@svc/core/log'
import { asNumber, asRecord, asString, defined, type Fields } from '../gen-ai/read.ts'

const MESSAGE_LIMIT = 2_000

export interface SpanFailure {
  readonly message: string
  readonly attributes: Attributes
  readonly exception: Exception
}

/** Returns whether the application cancelled: an aborted signal, `controller.abort()`. */
export function isCancellation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return CANCELLATIONS.has(error.name) || readClassName(error) === 'APIUserAbortError' || error.message === ABORTED
}

/** Returns the error of a signal that timed out (`AbortSignal.timeout()`), which is not a cancellation. */
export function getTimeout(signal: unknown): unknown {
  const { reason } = asRecord(signal)
  return asRecord(reason).name === 'TimeoutError' ? reason : undefined
}

/** Names of errors: of a signal, and of axios. */
const CANCELLATIONS = new Set(['AbortError', 'CanceledError'])

/** The message of clients that Stainless generates; in a minified bundle the class name is lost. */
const ABORTED = 'Request was aborted.'

/**
 * Describes an error. The stack is not read: once it is, V8 no longer prints where the error was thrown when the
 * process dies of it.
 *
 * @param secrets removed from the message, beside those that the process holds
 */
export function describeFailure(error: unknown, secrets: readonly string[] = []): SpanFailure {
  const message = shortened(redactKeys(messageOf(error), secrets), MESSAGE_LIMIT)
  const type = readClassName(error)
  return {
    message,
    attributes: defined({
      [GENERAL.ERROR_TYPE]: type,
      [GENERAL.HTTP_RESPONSE_STATUS_CODE]: readStatus(asRecord(error)),
    }),
    exception: { name: type, message },
  }
}

export function failSpan(span: Span, { message, attributes, exception }: SpanFailure): void {
  span.setAttributes(attributes)
  span.recordException(exception)
  span.setStatus({ code: SpanStatusCode.ERROR, message })
}

/** Reads the HTTP status, which libraries name differently. */
function readStatus({ status, statusCode, status_code, ...error }: Fields): number | undefined {
  const found = asNumber(status) ?? asNumber(statusCode) ?? asNumber(status_code)
  if (found !== undefined) return found
  const { $metadata, response, httpResponse } = error
  return asNumber(asRecord($metadata).httpStatusCode) ?? asNumber(asRecord(response ?? httpResponse).status)
}

/** Class names that carry no information; the error's `name` is used instead. */
const NAMELESS: ReadonlySet<unknown> = new Set(['Error', 'DOMException'])

/** Returns the name that documentation uses for an error, its class: `RateLimitError`. */
function readClassName(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  const found = asString(error.constructor?.name)
  return (NAMELESS.has(found) ? undefined : found) || asString(error.name) || '_OTHER'
}
