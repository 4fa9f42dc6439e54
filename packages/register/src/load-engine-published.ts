import type * as Engine from './engine.ts'

/** Stands in for `load-engine.ts` in the published bundle: bundlers of applications follow the `require` of CommonJS only. */
export const loadEngine = (): typeof Engine => require('./engine.js')
