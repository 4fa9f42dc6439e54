import { createRequire } from 'node:module'
import type { start as Start } from './start.ts'

const require = createRequire(import.meta.url)

/** What Jest hands to each CommonJS module that it loads, and nobody else does. */
declare const jest: unknown

/**
 * What `@svc/register/start` is as it is published, where one CommonJS file serves everybody: {@link Start}, and in Jest,
 * whose modules cannot be hooked, what keeps observations in memory.
 */
export const start: typeof Start = (options, env) => {
  const face =
    typeof jest === 'undefined'
      ? (require('./start.js') as typeof import('./start.ts'))
      : (require('./start-in-memory.js') as typeof import('./start-in-memory.ts'))
  return face.start(options, env)
}
