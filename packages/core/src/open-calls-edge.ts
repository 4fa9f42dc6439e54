import type * as node from './open-calls.ts'
import { release } from './unread-calls.ts'

// Replaces open-calls.ts in bundles for edge runtimes: no process ends there, so no call has to be found at its end.

export { ENDED_EARLY } from './ended-early.ts'
export { endWhenCollected, type MissingEnd, type OpenCall } from './unread-calls.ts'

export const track: typeof node.track = () => {}

export const trackWeakly: typeof node.trackWeakly = () => undefined

export const cancelEndWhenCollected: typeof node.cancelEndWhenCollected = ({ handle }) => {
  if (handle) release(handle)
}

export const untrack: typeof node.untrack = (call) => cancelEndWhenCollected(call)

export const endOpenCalls: typeof node.endOpenCalls = () => {}
