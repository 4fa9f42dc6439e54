export type { ObserveOpenAIConfig, ObserveOpenAIConfig as SvcConfig } from './observe.ts'
export { observeOpenAI } from './observe.ts'
export { instrumentOpenAI } from './patch.ts'
