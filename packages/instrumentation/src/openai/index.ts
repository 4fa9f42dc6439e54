export { instrumentOpenAI } from './instrument.ts'
