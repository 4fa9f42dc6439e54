export type { SvcConfigOptions } from './with-svc-config.ts'
export { withSvcConfig } from './with-svc-config.ts'
