export { instrumentOpenAI } from './instrument.ts'
export type { ObserveOpenAIConfig, ObserveOpenAIConfig as SvcConfig } from './observe.ts'
export { observeOpenAI } from './observe.ts'
