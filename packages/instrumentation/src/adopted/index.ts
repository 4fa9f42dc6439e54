export { isInstrumented } from '../instrumented.ts'
export { isForeign, withForeign } from './foreign.ts'
