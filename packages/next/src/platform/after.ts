import { builtin } from '@svc/core/builtin'
import { type KeepAwake, keepAwake as keepHostAwake } from '@svc/core/keep-awake'
import { log, messageOf } from '@svc/core/log'
import { after } from 'next/server.js'

export type { KeepAwake } from '@svc/core/keep-awake'

/**
 * Has the host of this request wait for `work`: by Next's own `after`, which begins it when the response is out, else by
 * what the host itself offers, at once.
 *
 * @returns the way to do so again, wherever it is called; undefined where there is none
 */
export function keepAwake(work: () => Promise<void>): KeepAwake | undefined {
  try {
    after(work)
    const inRequest = builtin('node:async_hooks')?.AsyncLocalStorage.snapshot()
    if (inRequest) return (more) => inRequest(() => after(more()))
  } catch (error) {
    log.debug(`after() is not to be had here: ${messageOf(error)}`)
  }
  return keepHostAwake(work)
}
