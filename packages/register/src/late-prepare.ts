/*
 * Functions that not every process and thread needs at startup, loaded like `late-parts.ts`. Separate, because those
 * parts are created from the settings.
 */
export { planOf } from './plan.ts'
export { prepare, prepareAtOnce } from './prepare.ts'
