/** The one version of all `@svc` packages. Checked against package.json by `version.test.ts`. */
export const VERSION = '6.0.0'
