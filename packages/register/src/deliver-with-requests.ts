import { Deliveries } from '@svc/core/deliveries'
import { canKeepAwake, keepAwake } from '@svc/core/keep-awake'
import { watch } from './watchers.ts'

/** Next, which puts this class there, has `@svc/next`, which does the same with what Next offers. */
const isElsewhere = () => !('AsyncLocalStorage' in globalThis)

/**
 * On Vercel and Netlify, whose functions freeze after the answer, has the platform wait until what a request recorded is
 * delivered.
 *
 * @returns ends that; undefined elsewhere
 */
export function deliverWithRequests(): (() => void) | undefined {
  return canKeepAwake() ? watch(new Deliveries(keepAwake, isElsewhere)) : undefined
}
