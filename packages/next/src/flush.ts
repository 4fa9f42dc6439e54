import { attempt } from '@svc/core/attempt'
import { log, messageOf } from '@svc/core/log'
import { getRuntime } from '@svc/core/registry'
import { after } from 'next/server.js'
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
    after(flushed)
  } catch (error) {
    log.debug(`after() is not to be had here: ${messageOf(error)}`)
    const work = flushed()
    attempt('keep a function awake', () => waitUntil()?.(work))
  }
}

/** How the host is told to wait outside of a request that Next knows. */
function waitUntil(): ((work: Promise<unknown>) => void) | undefined {
  const slots = globalThis as unknown as Record<
    symbol,
    { get?(): { waitUntil?(work: Promise<unknown>): void } } | undefined
  >
  const host = slots[Symbol.for('@next/request-context')] ?? slots[Symbol.for('@vercel/request-context')]
  const context = host?.get?.()
  return context?.waitUntil?.bind(context)
}

function within(work: Promise<void>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    if (typeof timer === 'object') timer.unref?.()
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
