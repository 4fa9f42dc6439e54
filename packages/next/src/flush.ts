import { attempt } from '@svc/core/attempt'
import { log, messageOf } from '@svc/core/log'
import { getRuntime } from '@svc/core/registry'
import { within } from '@svc/core/timers'
import { afterResponse } from '#after'
import { flushesEachRequest } from './host.ts'

/** Milliseconds a function stays awake for a response that is still being read when its host wants to freeze it. */
const LONGEST_WAIT = 5_000

/**
 * Delivers what a request recorded once `ended` resolves, on hosts that freeze after the answer; the host waits for it.
 * On a server that lives on it does nothing: batches leave by their own clock.
 */
export function flushAfter(ended: Promise<void>): void {
  if (!flushesEachRequest()) return
  const flushed = async () => {
    await within(ended, LONGEST_WAIT)
    await getRuntime()?.forceFlush()
  }
  try {
    if (afterResponse) {
      afterResponse(flushed)
      return
    }
  } catch (error) {
    log.debug(`after() is not to be had here: ${messageOf(error)}`)
  }
  const work = flushed()
  attempt('keep a function awake', () => waitUntil()?.(work))
}

interface HostContext {
  get?(): { waitUntil?(work: Promise<unknown>): void } | undefined
}

/** How the host is told to wait, where Next cannot tell it. */
function waitUntil(): ((work: Promise<unknown>) => void) | undefined {
  const slots = globalThis as unknown as Record<symbol, HostContext | undefined>
  const host = slots[Symbol.for('@next/request-context')] ?? slots[Symbol.for('@vercel/request-context')]
  const context = host?.get?.()
  return context?.waitUntil?.bind(context)
}
