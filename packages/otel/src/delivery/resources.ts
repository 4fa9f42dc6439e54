import type { ReadableSpan } from '@opentelemetry/sdk-trace'

/** Waits, at most `limitMs`, for resource attributes that are still being found out (host, container, cloud). */
export async function resourcesSettled(spans: readonly ReadableSpan[], limitMs: number): Promise<void> {
  const pending = new Set(spans.map((span) => span.resource).filter((resource) => resource.asyncAttributesPending))
  if (pending.size === 0) return
  const settled = Promise.allSettled([...pending].map((resource) => resource.waitForAsyncAttributes?.()))
  await within(settled, limitMs)
}

/** Resolves with `work` or after `ms`, whichever is first. The timer keeps no process alive. */
export async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
    if (typeof timer === 'object') timer.unref?.()
  })
  try {
    await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
