import type { Attributes, Exception } from '@opentelemetry/api'
import { GENERAL } from '@svc/core/attributes'
import { messageOf } from '@svc/core/log'

/**
 * Returns the attributes of the event that records an exception; undefined where it has neither type nor message. Never
 * throws: in a `catch` block, that would replace the error of the application.
 */
export function exceptionAttributes(exception: Exception): Attributes | undefined {
  try {
    return attributesOf(exception)
  } catch {
    return { [GENERAL.EXCEPTION_MESSAGE]: messageOf(exception) }
  }
}

function attributesOf(exception: Exception): Attributes | undefined {
  const { code, name, message, stack } = detailsOf(exception)
  const type = code ? code.toString() : name
  if (!type && !message) return undefined
  return {
    ...(type ? { [GENERAL.EXCEPTION_TYPE]: type } : {}),
    ...(message ? { [GENERAL.EXCEPTION_MESSAGE]: message } : {}),
    ...(stack ? { [GENERAL.EXCEPTION_STACKTRACE]: stack } : {}),
  }
}

type Details = Partial<Record<'name' | 'message' | 'stack', string>> & { readonly code?: string | number }

// Not only of its type: whatever was thrown is handed on.
function detailsOf(exception: Exception | null | undefined): Details {
  return typeof exception === 'string' ? { message: exception } : ((exception ?? {}) as Details)
}
