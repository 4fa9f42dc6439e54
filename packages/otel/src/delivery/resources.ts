import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { within } from '@svc/core/timers'

/** Waits, at most `limitMs`, for resource attributes that are still being found out (host, container, cloud). */
export async function resourcesSettled(spans: readonly ReadableSpan[], limitMs: number): Promise<void> {
  const pending = new Set(spans.map((span) => span.resource).filter((resource) => resource?.asyncAttributesPending))
  if (pending.size === 0) return
  await within(Promise.allSettled([...pending].map((resource) => resource.waitForAsyncAttributes?.())), limitMs)
}
