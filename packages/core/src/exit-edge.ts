import type { ExitRegistration, flushExitHandlers as flush, onExit as register } from './exit.ts'

// Replaces exit.ts in bundles for edge runtimes, which have no processes.

/** Does nothing: there is no end of a process. */
export const onExit: typeof register = () => NOTHING

export const flushExitHandlers: typeof flush = async () => {}

const NOTHING: ExitRegistration = { listen() {}, added() {}, remove() {} }
