export { isForeign, loadForeign } from './foreign.ts'
