export { capturesContent } from '../gen-ai/configure.ts'
export { toUsageDetails } from '../gen-ai/detailed-counts.ts'
export type {
  AttributeMapping,
  ModelRequest,
  ModelResponse,
} from './attribute-mapping.ts'
export { createCallbacks } from './callbacks.ts'
export { followRuns } from './follow-runs.ts'
export { instrumentLangChain } from './instrument.ts'
export { HANDLER_NAME } from './manager.ts'
export type { LangChainMessage } from './messages.ts'
export { isMessage, toSimpleMessage } from './messages.ts'
export { describeThrown } from './run-error.ts'
export type { ValueForm } from './values.ts'
export { valueText } from './values.ts'
