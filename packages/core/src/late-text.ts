/*
 * What a process needs only when something is said. In the published bundle of `@svc/register` it is loaded with the
 * first call (`scripts/bundle.mjs`).
 */
export { foreignDetail, foreignText } from './foreign-text.ts'
