import { createRequire } from 'node:module'
import type * as Recorders from './recorders.ts'

const require = createRequire(import.meta.filename)

/**
 * Stands in for `load-recorders.ts` in the published bundle of `@svc/register`: V8 reads a whole file before it runs it, and
 * the first request needs no recorder.
 */
export const loadRecorders = (): typeof Recorders => require('./recorders.js')
