import { context, createContextKey } from '@svc/core/api'
import { warnOnce } from '@svc/core/log'

const PROBE = createContextKey('svc.probe')

/** Warns when no context manager is registered: nothing fails then, but every span is a trace of its own. */
export async function verifyContext(): Promise<void> {
  const probed = context.active().setValue(PROBE, true)
  const reached = await context.with(probed, async () => {
    await undefined
    return context.active().getValue(PROBE) === true
  })
  if (reached) return
  warnOnce(
    'OpenTelemetry has no context manager that works here, so the spans of one request are in several traces. ' +
      'Load one @opentelemetry/api, in version 1.10 or later, and load @svc/next or @svc/register before others that use it.',
  )
}
