import type * as Recorders from './recorders.ts'

/**
 * Stands in for `load-recorders.ts` in the published bundle of `@svc/register`: V8 reads a whole file before it runs it, and
 * the first request needs no recorder. Bundlers of applications follow the `require` of CommonJS.
 */
export const loadRecorders = (): typeof Recorders => (loaded ??= require('./recorders.js'))

// For each request that may ask a model something, `require` would look it up again.
let loaded: typeof Recorders | undefined
