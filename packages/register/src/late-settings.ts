/*
 * Functions that only some settings need, loaded like `late-parts.ts`. Separate, because those parts depend on the
 * plan, which is created from the settings.
 */
export { loadConfigFile } from './config-file.ts'
export { canServeSecond, startStandard } from './second-destination.ts'
