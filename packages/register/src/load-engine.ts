import { createRequire } from 'node:module'
import type * as Engine from './engine.ts'

const require = createRequire(import.meta.filename)

/** Loads the second stage: with `require`, because a preload with a top-level await could not be used with `--require`. */
export const loadEngine = (): typeof Engine => require('./engine.js')
