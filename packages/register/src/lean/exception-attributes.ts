import type { Attributes, Exception } from '@opentelemetry/api'
import { GENERAL } from '@svc/core/attributes'

const { EXCEPTION_TYPE, EXCEPTION_MESSAGE, EXCEPTION_STACKTRACE } = GENERAL

/** Returns the attributes of the event that records an exception; undefined where it has neither type nor message. */
export function exceptionAttributes(exception: Exception): Attributes | undefined {
  const { code, name, message, stack } = detailsOf(exception)
  const type = code ? code.toString() : name
  if (!type && !message) return undefined
  return {
    ...(type ? { [EXCEPTION_TYPE]: type } : {}),
    ...(message ? { [EXCEPTION_MESSAGE]: message } : {}),
    ...(stack ? { [EXCEPTION_STACKTRACE]: stack } : {}),
  }
}

type Details = Partial<Record<'name' | 'message' | 'stack', string>> & { readonly code?: string | number }

// Not only of its type: whatever was thrown is handed on.
function detailsOf(exception: Exception | null | undefined): Details {
  return typeof exception === 'string' ? { message: exception } : ((exception ?? {}) as Details)
}
