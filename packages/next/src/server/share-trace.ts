import { getActiveTraceId, setActiveTraceAsPublic } from '@svc/tracing'
import { service } from '#implementation'

/** A trace that was made public, and the service that it is sent to. */
export type PublicTrace = ReturnType<typeof service> & { readonly traceId: string }

/** Makes the active trace public. Returns undefined where nothing is traced. */
export function shareTrace(): PublicTrace | undefined {
  const traceId = getActiveTraceId()
  setActiveTraceAsPublic()
  return traceId === undefined ? undefined : { traceId, ...service() }
}
