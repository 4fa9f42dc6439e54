/** The version of all `@svc` packages. `version.test.ts` compares it with package.json. */
export const VERSION = '6.0.0'
