export type { CallOptions } from './configure.ts'
export { configure } from './configure.ts'
export { isRecorded, isVendorBound } from './current.ts'
export { suppressCalls } from './suppress.ts'
