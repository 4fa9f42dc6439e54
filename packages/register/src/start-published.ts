import type { start as Start } from './start.ts'

/** A variable that only Jest passes to CommonJS modules. */
declare const jest: unknown

/**
 * `@svc/register/start` in the published package, where one CommonJS file is used by all: {@link Start}, or in Jest,
 * whose modules cannot be hooked, the in-memory form.
 */
export const start: typeof Start = (options, env) => {
  const engine: typeof import('./engine.ts') = require('./engine.js')
  return (typeof jest === 'undefined' ? engine.start : engine.startInMemory)(options, env)
}
