import type { ExitRegistration, flushExitHandlers as flush, onExit as register } from './exit.ts'

// In the place of exit.ts where there are no processes: a bundle for an edge runtime carries none of it.

/** Nothing ends that could be waited for. */
export const onExit: typeof register = () => NOTHING

export const flushExitHandlers: typeof flush = async () => {}

const NOTHING: ExitRegistration = { listen() {}, added() {}, remove() {} }
