import { ON_SERVER } from '@svc/core/on-server'
import { builtin } from './builtin.ts'

// The application may remove or replace the global later: tests that imitate a browser do. Only a real one has a number.
const atStart = globalThis.process as NodeJS.Process | undefined

/** The process of this runtime; undefined where there is none. */
export const hostProcess = (): NodeJS.Process | undefined =>
  atStart?.pid || !ON_SERVER ? atStart : (builtin('node:process') ?? atStart)
