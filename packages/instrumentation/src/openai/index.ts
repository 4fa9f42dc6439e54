export { instrumentOpenAI } from './instrument.ts'
export type { ObserveOpenAIConfig } from './observe.ts'
export { observeOpenAI } from './observe.ts'
