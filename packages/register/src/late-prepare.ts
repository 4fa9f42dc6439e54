/*
 * Functions that need the settings, loaded like `late-parts.ts`. Separate, because a thread starts without them.
 */
export { prepare, prepareAtOnce } from './prepare.ts'
