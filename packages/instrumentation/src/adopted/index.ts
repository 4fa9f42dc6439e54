export { isInstrumented } from '../instrumented.ts'
export { isForeign, withForeign } from './chosen.ts'
