export { isInstrumented } from '../loaded.ts'
export { withThirdParty } from './select.ts'
