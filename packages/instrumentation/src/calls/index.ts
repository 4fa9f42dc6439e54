export type { CallOptions } from './configure.ts'
export { configure } from './configure.ts'
export { isVendorBound } from './current.ts'
export { suppressCalls } from './suppress.ts'
