export { isForeign, withForeign } from './foreign.ts'
