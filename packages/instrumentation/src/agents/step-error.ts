import { type Span, SpanStatusCode } from '@opentelemetry/api'
import { GENERAL } from '@svc/core/attributes'
import { capturesContent } from '../gen-ai/configure.ts'
import { asName, asRecord } from '../gen-ai/read.ts'
import { describeFailure } from '../record/error.ts'
import { outcomeAttributes } from '../record/outcome.ts'

export function recordStepError(span: Span, error: unknown): void {
  if (isAborted(error)) span.setAttributes(outcomeAttributes('cancelled'))
  else {
    const [name, message] = [readErrorType(error), readErrorMessage(error)]
    span.setAttribute(GENERAL.ERROR_TYPE, name)
    span.recordException({ name, message })
    span.setStatus({ code: SpanStatusCode.ERROR, message })
  }
}

/**
 * Returns the class of an error, with which its text begins: `RateLimitError: 429 slow down`. Else `_OTHER`, as the
 * OpenTelemetry conventions define.
 */
export function readErrorType(error: unknown): string {
  return /^([A-Z]\w*)(?=: )/.exec(readErrorDetail(asRecord(error).data) ?? '')?.[0] ?? '_OTHER'
}

/**
 * Returns an error's message. The library uses one message for all errors and puts the cause into a separate text:
 * `Error: Request was aborted.`
 */
export function readErrorMessage(error: unknown): string {
  const { message, data } = asRecord(error)
  const summary = asName(message) ?? 'failed'
  const detail = capturesContent() ? readErrorDetail(data) : undefined
  return detail ? describeFailure(`${summary}: ${detail}`).message : summary
}

/** All that the library reports if sensitive data is excluded from traces. */
const WITHOUT_DETAILS = 'Error'
const ABORTED = /^(AbortError|APIUserAbortError)\b|\bRequest was aborted\.$/

function isAborted(error: unknown): boolean {
  return ABORTED.test(readErrorDetail(asRecord(error).data) ?? '')
}

function readErrorDetail(data: unknown): string | undefined {
  const { error } = asRecord(data)
  return error === WITHOUT_DETAILS ? undefined : asName(error)
}
