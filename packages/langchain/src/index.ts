export { CallbackHandler } from './callback-handler.ts'
export type { CallbackHandlerParams } from './params.ts'
