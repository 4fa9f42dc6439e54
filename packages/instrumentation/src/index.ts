export { instrument } from './instrument.ts'
