import { createRequire } from 'node:module'
import type { start as Start } from './start.ts'

const require = createRequire(import.meta.url)

/** A variable that only Jest passes to CommonJS modules. */
declare const jest: unknown

/**
 * `@svc/register/start` in the published package, where one CommonJS file is used by all: {@link Start}, or in Jest,
 * whose modules cannot be hooked, the in-memory form.
 */
export const start: typeof Start = (options, env) => {
  const face =
    typeof jest === 'undefined'
      ? (require('./start.js') as typeof import('./start.ts'))
      : (require('./start-in-memory.js') as typeof import('./start-in-memory.ts'))
  return face.start(options, env)
}
