import { builtin } from './builtin.ts'

/**
 * The process of this runtime; undefined where there is none. Not the global of that name, which applications and tests
 * that imitate a browser remove or replace.
 */
export const hostProcess = (): NodeJS.Process | undefined => builtin('node:process') ?? globalThis.process
