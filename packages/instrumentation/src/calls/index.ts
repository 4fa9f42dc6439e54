export type { CallOptions } from './configure.ts'
export { configure } from './configure.ts'
export { suppressCalls } from './suppress.ts'
