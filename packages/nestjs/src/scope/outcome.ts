import { attempt } from '@svc/core/attempt'
import { redactKeys, shortened } from '@svc/core/foreign-text'
import type { SvcSpanAttributes } from '@svc/tracing'
import { messageIn } from '@svc/tracing/adapters'

/** The end of an HTTP request. */
export interface Ended {
  /** Status of the response; undefined when none was sent. */
  readonly status: number | undefined
  /** Whether the whole response was sent; false when the client disconnected. */
  readonly complete: boolean
  /** The error that was thrown; undefined if none was. */
  readonly error: unknown
  /** Whether it was thrown after the response had started, when its status could no longer change. */
  readonly midway: boolean
}

export type Outcome = Pick<SvcSpanAttributes, 'level' | 'statusMessage'>

/** Success, which needs no level and no message. */
export const SUCCESS: Outcome = {}

/**
 * Returns the outcome of an HTTP request. As in OpenTelemetry's conventions for servers, a status below 500 is not
 * an error, whatever was thrown: the exception may redirect, or an exception filter may have made a response of it.
 */
export function httpOutcome({ status, complete, error, midway }: Ended): Outcome {
  if (midway) return failure(error)
  if (!complete) return { level: 'WARNING', statusMessage: 'the client went away before the response was sent' }
  if (status === undefined || status < 400) return SUCCESS
  const statusMessage = explain(error) ?? `HTTP ${status}`
  return status < 500 ? { statusMessage } : { level: 'ERROR', statusMessage }
}

/** Returns the outcome of a message, a query or a job that threw: also `undefined`, as `reject()` does. */
export function messageOutcome(error: unknown): Outcome {
  const status = statusOf(error)
  if (status !== undefined && status < 500) return { statusMessage: explain(error) ?? `status ${status}` }
  return failure(error)
}

/** Returns the HTTP status of an exception of Nest. */
function statusOf(error: unknown): number | undefined {
  try {
    const { getStatus } = error as { getStatus?: unknown }
    const status: unknown = typeof getStatus === 'function' ? getStatus.call(error) : undefined
    return typeof status === 'number' ? status : undefined
  } catch {
    return undefined
  }
}

function explain(error: unknown): string | undefined {
  return reasonsIn(error) ?? messageIn(error)
}

/** Longest text of reasons: a list with a thousand items has a thousand of them. */
const REASONS_LIMIT = 1_000

/** Reads the errors of a ValidationPipe from the response: the message is only `Bad Request Exception`. */
function reasonsIn(error: unknown): string | undefined {
  return attempt('read the reasons of an exception', () => {
    const { getResponse } = error as { getResponse?: unknown }
    const response: unknown = typeof getResponse === 'function' ? getResponse.call(error) : undefined
    const { message } = (response ?? {}) as { message?: unknown }
    if (!Array.isArray(message) || message.length === 0) return undefined
    const text = message.filter((reason) => typeof reason === 'string').join('; ')
    return text === '' ? undefined : shortened(redactKeys(text), REASONS_LIMIT)
  })
}

function failure(error: unknown): Outcome {
  return { level: 'ERROR', statusMessage: explain(error) ?? 'Unknown error' }
}
