export type { CallOptions } from './configure.ts'
export { configure } from './configure.ts'
export { endOpenCalls } from './open-calls.ts'
export { suppressCalls } from './suppress.ts'
