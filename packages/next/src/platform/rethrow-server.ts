// @ts-expect-error with an ending Next's bundlers would take the one for the browser, and Node alone knows none without.
import { unstable_rethrow } from 'next/navigation'

/** Throws what was thrown to steer Next, and nothing else. */
export const rethrow: (error: unknown) => void = unstable_rethrow
